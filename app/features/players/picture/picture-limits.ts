/** A picture may weigh so many bytes. */
export const MAX_PICTURE_BYTES = 1024 * 1024;
/** And be so many pixels wide and high: what is small in bytes may be huge once it is decoded. */
export const MAX_PICTURE_SIDE = 4096;

export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;

export type PictureType = (typeof PICTURE_TYPES)[number];
