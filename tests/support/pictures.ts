import { crc32 } from "node:zlib";

/**
 * Builds pictures by hand, as small as their formats allow, for tests that check which parts of an upload are kept.
 */

const bytes = (...parts: (string | number | readonly number[] | Uint8Array)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "string" ? [...Buffer.from(part, "latin1")] : typeof part === "number" ? [part] : [...part],
    ),
  );

const big32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const big16 = (value: number) => [(value >> 8) & 255, value & 255];
const little32 = (value: number) => big32(value).reverse();
const little24 = (value: number) => little32(value).slice(0, 3);

export function pngChunk(name: string, data: Uint8Array | string): Uint8Array {
  const body = bytes(name, data);
  return bytes(big32(body.length - 4), body, big32(crc32(body)));
}

/** A greyscale PNG, all black. The `extra` chunks come before its data. */
export function png(width: number, height: number, extra: readonly Uint8Array[] = []): Uint8Array {
  return bytes(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    pngChunk("IHDR", bytes(big32(width), big32(height), 8, 0, 0, 0, 0)),
    ...extra,
    // Data for one black pixel: larger pictures only claim their size.
    pngChunk("IDAT", bytes([0x78, 0x9c, 0x63, 0x60, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01])),
    pngChunk("IEND", ""),
  );
}

export const jpegSegment = (marker: number, data: Uint8Array | string): Uint8Array =>
  bytes(0xff, marker, big16(data.length + 2), data);

/** A JPEG with a valid structure and arbitrary compressed data. The `extra` segments come before its tables. */
export function jpeg(
  width: number,
  height: number,
  extra: readonly Uint8Array[] = [],
  scan: readonly number[] = [1, 2, 0xff, 0, 3, 0xff, 0xd0, 4],
): Uint8Array {
  return bytes(
    [0xff, 0xd8],
    ...extra,
    jpegSegment(0xdb, bytes(0, Array(64).fill(1))),
    jpegSegment(0xc0, bytes(8, big16(height), big16(width), 1, 1, 0x11, 0)),
    jpegSegment(0xda, bytes(1, 1, 0, 0, 63, 0)),
    scan,
    [0xff, 0xd9],
  );
}

/** An Exif segment with an orientation (1 to 8) and an image description, big-endian unless `isLittleEndian`. */
export function exif(orientation: number, description: string, isLittleEndian = false): Uint8Array {
  const order = (values: number[]) => (isLittleEndian ? [...values].reverse() : values);
  return jpegSegment(
    0xe1,
    bytes(
      "Exif\0\0",
      isLittleEndian ? "II" : "MM",
      order(big16(42)),
      order(big32(8)),
      order(big16(2)),
      [order(big16(0x010e)), order(big16(2)), order(big32(description.length)), order(big32(38))].flat(),
      [order(big16(0x0112)), order(big16(3)), order(big32(1)), order(big16(orientation)), [0, 0]].flat(),
      order(big32(0)),
      description,
    ),
  );
}

export function webpChunk(name: string, data: Uint8Array | string): Uint8Array {
  return bytes(name, little32(data.length), data, data.length % 2 ? [0] : []);
}

/**
 * A lossless WebP with a valid structure. With `extra` chunks it becomes an extended one, whose default `flags`
 * announce every optional chunk but animation.
 */
export function webp(width: number, height: number, extra: readonly Uint8Array[] = [], flags = 0x3c): Uint8Array {
  const size = (width - 1) | ((height - 1) << 14);
  const image = webpChunk("VP8L", bytes(0x2f, little32(size), 1, 2, 3));
  const extended = webpChunk("VP8X", bytes(flags, [0, 0, 0], little24(width - 1), little24(height - 1)));
  const body = extra.length > 0 ? bytes("WEBP", extended, ...extra, image) : bytes("WEBP", image);
  return bytes("RIFF", little32(body.length), body);
}
