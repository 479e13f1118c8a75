/** The largest size of a picture, in bytes. */
export const MAX_PICTURE_BYTES = 1024 * 1024;
/** The largest width and height of a picture, in pixels: a small file may be huge once decoded. */
export const MAX_PICTURE_SIDE = 4096;

export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;

export type PictureType = (typeof PICTURE_TYPES)[number];
