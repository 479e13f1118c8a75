import { encode } from "uqr";

/** A QR code, ready to be drawn: a square of `size` modules, and the dark ones as an SVG path. */
export interface QrCode {
  size: number;
  path: string;
}

/** The margin that readers need, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Makes a text a QR code, with the least redundancy: a screen has no scratches, and larger modules read more easily. */
export function drawQrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: "L", border: QUIET_ZONE });
  const path = data.flatMap((row, y) => darkRuns(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)).join("");
  return { size, path };
}

/** Where the dark runs of a row begin, and how long they are. */
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
