/**
 * The only import of sonner. It is a `.client` module because the server renders toasts itself, which keeps sonner out
 * of the Worker.
 */
export { Toaster, toast } from "sonner";
