import type { ReactNode } from "react";
import { Badge } from "../badge";
import { Logo, type LogoSize } from "../icons";
import { Link } from "../link";

/**
 * The header of public pages, with a thick line below it: the logo, which links home, and the badge `Beta Launch`.
 * @param children links with which visitors sign in or sign up
 * @param badgeClass the class of the badge, which can hide it where those links need its space
 */
export function SiteHeader({
  size = "large",
  badgeClass,
  children,
}: {
  size?: LogoSize;
  badgeClass?: string;
  children?: ReactNode;
}) {
  return (
    <header className="relative z-10 border-b-4 border-text bg-floor">
      <div className="measure flex h-[60px] items-center justify-between md:h-[76px]">
        <Link to="/" className="inline-flex min-h-11 items-center rounded-control">
          <Logo size={size} />
        </Link>
        <div className="flex items-center gap-2 md:gap-4">
          <Badge className={badgeClass}>Beta Launch</Badge>
          {children}
        </div>
      </div>
    </header>
  );
}
