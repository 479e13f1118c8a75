import type { Toast } from "~/platform/pages/toast";

/**
 * Opens the device's share sheet, or else copies the URL and confirms that. Does nothing more if the player closes the
 * sheet.
 * @param showToast passed in, because importing it here would make it a file of its own on every page
 * @throws if neither is possible
 */
export async function share(data: ShareData & { url: string }, showToast: (toast: Toast) => void): Promise<void> {
  if ("share" in navigator) {
    try {
      return await navigator.share(data);
    } catch (error) {
      // The sheet was closed. With other errors, such as a refused permission, it never opened.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  // Also throws if the browser has no clipboard.
  await navigator.clipboard.writeText(data.url);
  showToast({ id: crypto.randomUUID(), kind: "success", title: "Link copied" });
}
