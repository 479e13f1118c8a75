import type { ReactNode } from "react";

/** The content of a settings page: its heading under a rail, and the setting itself. */
export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-labelledby="subject" className="border-t-2 border-text pt-4">
      <h2 id="subject" className="font-display text-section">
        {title}
      </h2>
      {children}
    </section>
  );
}
