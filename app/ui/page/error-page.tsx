import type { ReactNode } from "react";
import { SiteFooter } from "./site-footer";
import { SiteHeader } from "./site-header";

interface Scene {
  title: string;
  text: ReactNode;
  action?: ReactNode;
}

/** The content of an error page: five empty hooks under the line, and the banner that fell. */
export function ErrorScene({ title, text, action }: Scene) {
  return (
    <div className="relative flex flex-1 flex-col overflow-hidden">
      <div aria-hidden="true" className="measure grid grid-cols-5 justify-items-center gap-x-4">
        {[1, 2, 3, 4, 5].map((hook) => (
          <span key={hook} className="h-[34px] w-[3px] bg-edge" />
        ))}
      </div>
      <div className="measure flex-1 pt-14 pb-44 md:pt-[112px] md:pb-[160px]">
        <h1 className="-ml-1 max-w-[10ch] font-display text-hero-phone wrap-anywhere md:text-[4.5rem] lg:text-hero">
          {title}
        </h1>
        <div className="mt-6 max-w-[530px] text-lead text-muted md:mt-[26px]">{text}</div>
        {action && <div className="mt-6 flex flex-wrap gap-3">{action}</div>}
      </div>
      <div aria-hidden="true" className="measure absolute inset-x-0 bottom-0 flex justify-end">
        <span className="h-[80px] w-[120px] rounded-r-full bg-banner md:h-[123px] md:w-[184px]" />
      </div>
    </div>
  );
}

/** An error page. `header` is the viewer's header if they are known to be signed in; by default the site's. */
export function ErrorPage({ header, ...scene }: Scene & { header?: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      {header ?? <SiteHeader />}
      <main id="content" className="flex flex-1 flex-col">
        <ErrorScene {...scene} />
      </main>
      <SiteFooter signedIn={Boolean(header)} />
    </div>
  );
}
