import type { ReactNode } from "react";

/** The content of a settings page: its heading under a rail, and the setting itself. */
export function SettingsSection({
  title,
  as: Heading = "h2",
  children,
}: {
  title: string;
  /** `h1` where the section is the whole page, outside the settings. */
  as?: "h1" | "h2";
  children: ReactNode;
}) {
  return (
    <section aria-labelledby="subject" className="border-t-2 border-text pt-4">
      <Heading id="subject" className="font-display text-section">
        {title}
      </Heading>
      {children}
    </section>
  );
}
