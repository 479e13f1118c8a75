import { MAX_PICTURE_SIDE, type PictureType } from "./picture-limits";

/*
 * Reads pictures that players upload. The format is read from the bytes, never from a name or a header, and metadata
 * (where the picture was taken, by whom, with what) is left out. No library that runs in workerd does both for these
 * three formats without decoding; the containers are a few pages of specification each:
 * https://www.w3.org/TR/png-3/, https://www.w3.org/Graphics/JPEG/itu-t81.pdf,
 * https://datatracker.ietf.org/doc/html/rfc9649
 */

/** A picture without any data that isn't needed to show it. */
export interface Picture {
  type: PictureType;
  width: number;
  height: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Why a file is refused. Animations are refused, too. */
export type PictureProblem = "unknown" | "broken" | "animated" | "side-too-long";

/** Checks an uploaded file, and strips its metadata. */
export function readPicture(bytes: Uint8Array): Picture | PictureProblem {
  const read = READERS.find(({ isMine }) => isMine(bytes));
  if (!read) return "unknown";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const picture = read.parse(bytes, view);
  if (typeof picture === "string") return picture;
  const { width, height, parts } = picture;
  if (width === 0 || height === 0) return "broken";
  if (width > MAX_PICTURE_SIDE || height > MAX_PICTURE_SIDE) return "side-too-long";
  return { type: read.type, width, height, bytes: concat(parts) };
}

/** The result of parsing a file: its size and the parts to keep, in order. */
type Parsed = { width: number; height: number; parts: Uint8Array[] } | PictureProblem;

interface Reader {
  type: PictureType;
  isMine(bytes: Uint8Array): boolean;
  parse(bytes: Uint8Array, view: DataView): Parsed;
}

const READERS: readonly Reader[] = [
  { type: "image/png", isMine: (bytes) => startsWith(bytes, PNG_SIGNATURE), parse: parsePng },
  { type: "image/jpeg", isMine: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]), parse: parseJpeg },
  {
    type: "image/webp",
    isMine: (bytes) => ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 4) === "WEBP",
    parse: parseWebp,
  },
];

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The PNG chunks that are needed to show a picture. Others hold text, times, profiles, animation or private data. */
const PNG_CHUNKS = ["IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "IDAT", "IEND"];

function parsePng(bytes: Uint8Array, view: DataView): Parsed {
  const parts = [bytes.subarray(0, PNG_SIGNATURE.length)];
  let hasData = false;
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at);
    const name = ascii(bytes, at + 4, 4);
    const end = at + 12 + length;
    if (end > bytes.length) return "broken";
    const isFirst = at === PNG_SIGNATURE.length;
    if (isFirst !== (name === "IHDR") || (isFirst && length !== 13)) return "broken";
    if (name === "acTL") return "animated";
    if (name === "IDAT") hasData = true;
    if (PNG_CHUNKS.includes(name)) parts.push(bytes.subarray(at, end));
    if (name === "IEND") {
      return hasData ? { width: view.getUint32(16), height: view.getUint32(20), parts } : "broken";
    }
    at = end;
  }
  return "broken";
}

const JPEG = { SOI: 0xd8, EOI: 0xd9, SOS: 0xda, DHT: 0xc4, JPG: 0xc8, DAC: 0xcc, DQT: 0xdb, DRI: 0xdd } as const;

function parseJpeg(bytes: Uint8Array, view: DataView): Parsed {
  const parts = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let hasScan = false;
  let at = 2;
  while (at + 2 <= bytes.length) {
    if (bytes[at] !== 0xff) return "broken";
    const marker = bytes[at + 1] as number;
    // Any number of 0xFF bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === JPEG.EOI) {
      parts.push(bytes.subarray(at, at + 2));
      return size && hasScan ? { ...size, parts } : "broken";
    }
    if (at + 4 > bytes.length) return "broken";
    const end = at + 2 + view.getUint16(at + 2);
    if (end < at + 4 || end > bytes.length) return "broken";
    const segment = bytes.subarray(at, end);
    if (isFrame(marker)) {
      if (size || segment.length < 10) return "broken";
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    const kept = keepSegment(marker, segment);
    if (kept) parts.push(kept);
    at = end;
    if (marker === JPEG.SOS) {
      if (!size) return "broken";
      hasScan = true;
      at = endOfScan(bytes, at);
      parts.push(bytes.subarray(end, at));
    }
  }
  return "broken";
}

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== JPEG.DHT && marker !== JPEG.JPG && marker !== JPEG.DAC;

/**
 * Returns the part of a segment to keep, or null to drop it. Of Exif, only the orientation is kept: without it, photos
 * would lie on their side.
 */
function keepSegment(marker: number, segment: Uint8Array): Uint8Array | null {
  if (isFrame(marker)) return segment;
  switch (marker) {
    case JPEG.DHT:
    case JPEG.DAC:
    case JPEG.DQT:
    case JPEG.DRI:
    case JPEG.SOS:
      return segment;
    case 0xe0:
      // JFIF says how to read the colours. A thumbnail inside it is dropped.
      return ascii(segment, 4, 5) === "JFIF\0" ? JFIF : null;
    case 0xe1: {
      const turn = exifOrientation(segment);
      return turn === null ? null : orientationSegment(turn);
    }
    case 0xee:
      // Adobe's segment also says how to read the colours.
      return ascii(segment, 4, 5) === "Adobe" && segment.length >= 16 ? adobeSegment(segment) : null;
    default:
      return null;
  }
}

const JFIF = Uint8Array.of(0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0);

function adobeSegment(segment: Uint8Array): Uint8Array {
  const kept = segment.slice(0, 16);
  kept.set([0, 14], 2);
  return kept;
}

/** Finds the end of the compressed data after an SOS segment: the next marker that doesn't belong to it. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isData && next !== 0xff) return at;
  }
  return bytes.length;
}

const EXIF = "Exif\0\0";
const ORIENTATION = 0x0112;

/** Reads a photo's orientation, 2 to 8, from an Exif segment; null if there is none, or if it is 1, for upright. */
function exifOrientation(segment: Uint8Array): number | null {
  if (ascii(segment, 4, 6) !== EXIF) return null;
  const tiff = segment.subarray(10);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const order = ascii(tiff, 0, 2);
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) return null;
  const little = order === "II";
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return null;
  const entries = view.getUint16(directory, little);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return null;
    if (view.getUint16(at, little) !== ORIENTATION) continue;
    const turn = view.getUint16(at + 8, little);
    return turn >= 2 && turn <= 8 ? turn : null;
  }
  return null;
}

/** Builds an Exif segment with nothing but the orientation. */
// biome-ignore format: a table of bytes
const orientationSegment = (turn: number) => Uint8Array.of(
  0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, // Exif, 34 bytes
  0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, // big-endian TIFF, one entry
  0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0, // orientation, one short
  0, 0, 0, 0, // no further directory
);

const WEBP_FLAGS = { animation: 0x02, alpha: 0x10 } as const;

function parseWebp(bytes: Uint8Array, view: DataView): Parsed {
  if (bytes.length < 20) return "broken";
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) return "broken";
  const chunks: Uint8Array[] = [];
  let size: { width: number; height: number } | undefined;
  let canvas: { width: number; height: number } | undefined;
  let at = 12;
  while (at + 8 <= end) {
    const name = ascii(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    const next = at + 8 + length + (length % 2);
    const data = bytes.subarray(at + 8, at + 8 + length);
    // Some files leave out the last chunk's padding.
    if (at + 8 + length > end) return "broken";
    if (name === "ANIM" || name === "ANMF") return "animated";
    if (name === "VP8X") {
      if (at !== 12 || length !== 10) return "broken";
      const flags = data[0] as number;
      if (flags & WEBP_FLAGS.animation) return "animated";
      canvas = { width: uint24(data, 4) + 1, height: uint24(data, 7) + 1 };
      // The other flags announce chunks that are dropped.
      chunks.push(webpChunk(name, Uint8Array.of(flags & WEBP_FLAGS.alpha, 0, 0, 0, ...data.subarray(4))));
    } else if (name === "VP8 " || name === "VP8L") {
      size = size ? undefined : name === "VP8 " ? lossySize(data) : losslessSize(data);
      if (!size) return "broken";
      chunks.push(webpChunk(name, data));
    } else if (name === "ALPH" && !size) {
      chunks.push(webpChunk(name, data));
    }
    at = next;
  }
  if (!size || (canvas && (canvas.width !== size.width || canvas.height !== size.height))) return "broken";
  const header = new Uint8Array(12);
  header.set(bytes.subarray(0, 12));
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 4);
  new DataView(header.buffer).setUint32(4, length, true);
  return { ...size, parts: [header, ...chunks] };
}

function webpChunk(name: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(8 + data.length + (data.length % 2));
  for (let index = 0; index < 4; index += 1) chunk[index] = name.charCodeAt(index);
  new DataView(chunk.buffer).setUint32(4, data.length, true);
  chunk.set(data, 8);
  return chunk;
}

/** Reads the size from a key frame of VP8 (RFC 6386, section 9.1). */
function lossySize(data: Uint8Array) {
  const isKeyFrame = data.length >= 10 && ((data[0] as number) & 1) === 0;
  if (!isKeyFrame || data[3] !== 0x9d || data[4] !== 0x01 || data[5] !== 0x2a) return undefined;
  return { width: uint16(data, 6) & 0x3fff, height: uint16(data, 8) & 0x3fff };
}

function losslessSize(data: Uint8Array) {
  if (data.length < 5 || data[0] !== 0x2f) return undefined;
  const bits = uint16(data, 1) + uint16(data, 3) * 0x10000;
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

const uint16 = (bytes: Uint8Array, at: number) => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
const uint24 = (bytes: Uint8Array, at: number) => uint16(bytes, at) | ((bytes[at + 2] ?? 0) << 16);

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte);

const ascii = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length));

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
