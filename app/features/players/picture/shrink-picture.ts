import { MAX_PICTURE_BYTES } from "./picture-limits";

/**
 * The largest sides to try, in pixels. The first is plenty for a player's picture; the others are for pictures that are
 * still too large in bytes.
 */
const SIDES = [1024, 640, 400] as const;
const QUALITY = 0.9;

/**
 * Shrinks a picture in the browser as far as needed: at most 1024 pixels a side, at most as many bytes as may be
 * uploaded, and upright according to its Exif orientation. JPEG stays JPEG; other formats become WebP, which keeps
 * transparency.
 * @returns the file itself if it is small enough, or if the browser can't decode or encode it, which leaves the error
 *   message to the server
 */
export async function shrinkPicture(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => null);
  if (!bitmap) return file;
  try {
    const longest = Math.max(bitmap.width, bitmap.height);
    if (file.size <= MAX_PICTURE_BYTES && longest <= SIDES[0]) return file;
    for (const side of SIDES) {
      const blob = await draw(bitmap, Math.min(1, side / longest), file.type);
      if (blob && blob.size <= MAX_PICTURE_BYTES) return new File([blob], file.name, { type: blob.type });
    }
    return file;
  } finally {
    bitmap.close();
  }
}

async function draw(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  // A browser that can't encode WebP produces a PNG instead.
  const wanted = type === "image/jpeg" ? type : "image/webp";
  return new Promise((resolve) => canvas.toBlob(resolve, wanted, QUALITY));
}
