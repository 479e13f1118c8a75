/** The one door to sonner. `.client`: the server writes toasts itself, so the Worker carries none of it. */
export { Toaster, toast } from "sonner";
