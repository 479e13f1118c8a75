import { type KeyboardEvent, type MouseEvent, useEffect, useState } from "react";
import { Link } from "~/ui/link";

type Menu = typeof import("./account-menu.client")["AccountMenu"];

/** The width from which the header has room for the name. `header.css` uses the same one. */
const WIDE = "(width >= 64rem)";
const PROFILE = "/dashboard/profile";

/**
 * The player's name, a link to their profile. On wide screens with JavaScript, it is the button of the account menu,
 * which loads at the first sign that the player will open it. If the menu can't be loaded, a click opens the profile.
 */
export function AccountName({ name }: { name: string }) {
  const [isWide, setIsWide] = useState(false);
  const [Menu, setMenu] = useState<Menu>();
  const [openedBy, setOpenedBy] = useState<"pointer" | "keyboard">();
  useEffect(() => {
    const screen = matchMedia(WIDE);
    const update = () => setIsWide(screen.matches);
    update();
    screen.addEventListener("change", update);
    return () => screen.removeEventListener("change", update);
  }, []);

  const load = () => import("./account-menu.client").then(({ AccountMenu }) => setMenu(() => AccountMenu));
  const prepare = () => void load().catch(() => {});
  function toggle(event: MouseEvent | KeyboardEvent, by: typeof openedBy) {
    event.preventDefault();
    setOpenedBy(openedBy ? undefined : by);
    load().catch(() => location.assign(PROFILE));
  }
  return (
    <>
      <Link
        id="account-name"
        to={PROFILE}
        title={name}
        className="account-name truncate text-post font-semibold max-lg:col-span-2 lg:max-w-[110px] lg:text-body xl:max-w-[160px]"
        {...(isWide && {
          role: "button",
          "aria-haspopup": "menu",
          "aria-expanded": openedBy !== undefined,
          onPointerEnter: prepare,
          onFocus: prepare,
          // A click made by a key press has a click count of 0.
          onClick: (event) => toggle(event, event.detail ? "pointer" : "keyboard"),
          onKeyDown: (event) => (event.key === " " || event.key === "ArrowDown") && toggle(event, "keyboard"),
        })}
      >
        {name}
      </Link>
      {Menu && isWide && <Menu labelledBy="account-name" openedBy={openedBy} onClose={() => setOpenedBy(undefined)} />}
    </>
  );
}
