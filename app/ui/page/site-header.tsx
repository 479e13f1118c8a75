import { Link } from "@remix-run/react";
import { Badge } from "../badge";
import { Logo, type LogoSize } from "../icons";

/** The header of public pages: the logo, a link home, and the badge `Beta Launch`, above the page's main line. */
export function SiteHeader({ size = "large" }: { size?: LogoSize }) {
  return (
    <header className="relative z-10 border-b-4 border-text bg-floor">
      <div className="measure flex h-[60px] items-center justify-between md:h-[76px]">
        <Link to="/" className="inline-flex min-h-11 items-center rounded-control">
          <Logo size={size} />
        </Link>
        <Badge>Beta Launch</Badge>
      </div>
    </header>
  );
}
