import type { Toast } from "~/platform/pages/toast";

/**
 * Opens the device's share sheet, or else copies the URL and confirms that. Does nothing more if the player closes the
 * sheet.
 * @param showToast passed on, because importing it here would make it a file of its own on every page
 * @param field the id of a field that holds the URL, which gets the focus if neither is possible
 */
export async function share(
  data: ShareData & { url: string },
  showToast: (toast: Toast) => void,
  field: string | undefined,
): Promise<void> {
  const id = crypto.randomUUID();
  if ("share" in navigator) {
    try {
      return await navigator.share(data);
    } catch (error) {
      // The sheet was closed. With other errors, such as a refused permission, it never opened.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  try {
    await writeToClipboard(data.url);
    showToast({ id, kind: "success", title: "Link copied" });
  } catch {
    if (field) return document.getElementById(field)?.focus();
    const description = "Copy this page's address from your browser instead.";
    showToast({ id, kind: "error", title: "The link couldn't be copied", description });
  }
}

/** Fails where the browser has no clipboard, too. */
const writeToClipboard = async (text: string) => navigator.clipboard.writeText(text);
