import { useFetcher, useLocation, useSubmit } from "@remix-run/react";
import { DropdownMenu } from "radix-ui";
import { useEffect, useRef } from "react";
import { Link } from "~/ui/link";

/**
 * The themes are written out, as the addresses are: importing the shell's modules would split the shell's file in two.
 */
const THEMES = ["System", "Dark", "Light"];

/**
 * The account menu under the player's name in the header. The name, a link, is also the menu's button
 * (`account-name.tsx`). Radix's own trigger is only an empty frame around it, because replacing the link with a new
 * button would lose the link's focus.
 */
export function AccountMenu({
  labelledBy,
  openedBy,
  onClose,
}: {
  /** The id of its button. */
  labelledBy: string;
  openedBy: "pointer" | "keyboard" | undefined;
  onClose: () => void;
}) {
  const { key } = useLocation();
  const fetcher = useFetcher();
  const button = () => document.getElementById(labelledBy);
  const shownOn = useRef(key);
  useEffect(() => {
    // The browser's Back and Forward lead to other pages, too.
    if (shownOn.current !== key) onClose();
    shownOn.current = key;
  }, [key, onClose]);
  return (
    <DropdownMenu.Root modal={false} open={openedBy !== undefined} onOpenChange={(open) => open || onClose()}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-labelledby={labelledBy}
          sideOffset={6}
          collisionPadding={8}
          align="start"
          className="menu"
          // The button closes the menu by itself.
          onInteractOutside={(event) => {
            if (event.target instanceof Node && button()?.contains(event.target)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body) button()?.focus();
          }}
        >
          <Items
            focusesFirst={openedBy === "keyboard"}
            onTheme={(theme) => fetcher.submit({ theme }, { method: "post", action: "/theme" })}
          />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Items({ focusesFirst, onTheme }: { focusesFirst: boolean; onTheme: (theme: string) => void }) {
  const submit = useSubmit();
  const first = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (focusesFirst) first.current?.focus();
  }, [focusesFirst]);
  return (
    <>
      <DropdownMenu.Item asChild>
        <Link ref={first} to="/dashboard/profile" prefetch="intent" className="menu-item">
          Profile
        </Link>
      </DropdownMenu.Item>
      <DropdownMenu.Item asChild>
        <Link to="/dashboard/settings" prefetch="intent" className="menu-item">
          Settings
        </Link>
      </DropdownMenu.Item>
      <Themes onChoose={onTheme} />
      <DropdownMenu.Item
        className="menu-item"
        onSelect={() => submit(null, { method: "post", action: "/auth/sign-out" })}
      >
        Sign Out
      </DropdownMenu.Item>
    </>
  );
}

/** The three themes, in a menu of their own. */
function Themes({ onChoose }: { onChoose: (theme: string) => void }) {
  const current = document.documentElement.dataset.theme ?? "system";
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className="menu-item">
        Theme <span aria-hidden="true">›</span>
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal>
        <DropdownMenu.SubContent sideOffset={4} collisionPadding={8} className="menu">
          <DropdownMenu.RadioGroup value={current} onValueChange={onChoose}>
            {THEMES.map((theme) => (
              <DropdownMenu.RadioItem key={theme} value={theme.toLowerCase()} className="menu-item">
                {theme}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}
