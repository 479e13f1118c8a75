import { MAX_PICTURE_BYTES } from "./picture-limits";

/** So many pixels a side are plenty for a player's picture. The smaller sides are for what still weighs too much. */
const SIDES = [1024, 640, 400] as const;
const QUALITY = 0.9;

/**
 * Makes a picture as small as it needs to be, in the browser: upright, as its Exif orientation has it, with at most
 * 1024 pixels a side and at most as many bytes as may be uploaded. JPEG stays JPEG; other formats become WebP, which
 * keeps what is transparent.
 * @returns the file itself where it is small enough, or where the browser can't read or write it: the server says why
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
  const brush = canvas.getContext("2d");
  if (!brush) return null;
  brush.imageSmoothingQuality = "high";
  brush.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  // A browser that can't write WebP gives a PNG instead.
  const wanted = type === "image/jpeg" ? type : "image/webp";
  return new Promise((resolve) => canvas.toBlob(resolve, wanted, QUALITY));
}
