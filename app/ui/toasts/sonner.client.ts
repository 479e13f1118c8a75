/**
 * The only import of sonner. It is a `.client` module because the server renders toasts itself, which keeps sonner out
 * of the Worker.
 */
export { Toaster, toast } from "sonner";

/*
 * When the focus leaves the toasts, sonner gives it back to the element that had it before. Toasts stand at the end of
 * the page, so somebody who tabs past one would be sent back to it until it disappears. React hears of no blur here.
 */
addEventListener(
  "focusout",
  (event) => {
    if (event.target instanceof Element && event.target.closest("[data-sonner-toaster]")) event.stopPropagation();
  },
  true,
);
