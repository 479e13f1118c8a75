import { encode } from "uqr";

/** A QR code to be drawn: a square of `size` modules, with the dark ones as an SVG path. */
export interface QrCode {
  size: number;
  path: string;
}

/** The margin that scanners need, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * Encodes a text as a QR code with the lowest error correction: screens have no scratches, and larger modules scan more
 * easily.
 */
export function drawQrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: "L", border: QUIET_ZONE });
  const path = data.flatMap((row, y) => darkRuns(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)).join("");
  return { size, path };
}

/** Finds the start and length of each dark run in a row. */
function darkRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}
