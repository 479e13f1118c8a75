import type { ReactNode } from "react";

/**
 * A reason why something fits the viewer: a tick and a sentence in the colour that means "you". With `fits={false}`, a
 * reason against it: a dash and a muted sentence. Renders an `<li>`; the list around it sets the font size.
 */
export function Reason({ fits = true, children }: { fits?: boolean; children: ReactNode }) {
  return <li className={fits ? "reason fits" : "reason"}>{children}</li>;
}
