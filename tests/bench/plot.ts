import { median } from "./statistics";

const WIDTH = 760;
const LABELS = 190;
const ROW = 26;
const TOP = 34;
const COLOURS = ["#d4380d", "#2f6f9f", "#6b8e23", "#8a5fa8", "#8c8c8c"];

/** One bar with the samples behind it, as dots. */
interface Bar {
  label: string;
  /** The colour: bars of one series share it. */
  series: string;
  samples: readonly number[];
}

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const shorten = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(3));

const frame = (title: string, height: number, content: string[]) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escapeText(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="8" y="18" font-size="14" font-weight="bold">${escapeText(title)}</text>`,
    ...content,
    "</svg>\n",
  ].join("\n");

const legend = (series: readonly string[], y: number) =>
  series.map(
    (name, at) =>
      `<rect x="${LABELS + at * 140}" y="${y - 9}" width="10" height="10" fill="${COLOURS[at % COLOURS.length]}"/>` +
      `<text x="${LABELS + at * 140 + 15}" y="${y}">${escapeText(name)}</text>`,
  );

/** Draws bars up to their medians, with a dot for each sample. */
export function plotBars(title: string, unit: string, bars: readonly Bar[]): string {
  const series = [...new Set(bars.map((bar) => bar.series))];
  const most = Math.max(...bars.flatMap(({ samples }) => samples));
  const place = (value: number) => LABELS + (value / most) * (WIDTH - LABELS - 90);
  const height = TOP + bars.length * ROW + 30;
  const rows = bars.flatMap(({ label, series: name, samples }, at) => {
    const y = TOP + at * ROW;
    const middle = median(samples);
    const colour = COLOURS[series.indexOf(name) % COLOURS.length];
    return [
      `<text x="${LABELS - 8}" y="${y + 15}" text-anchor="end">${escapeText(label)}</text>`,
      `<rect x="${LABELS}" y="${y + 4}" width="${(place(middle) - LABELS).toFixed(1)}" height="${ROW - 10}" fill="${colour}" fill-opacity="0.55"/>`,
      ...samples.map(
        (sample) => `<circle cx="${place(sample).toFixed(1)}" cy="${y + ROW / 2 - 1}" r="2.5" fill="${colour}"/>`,
      ),
      `<text x="${(place(Math.max(...samples)) + 8).toFixed(1)}" y="${y + 15}">${shorten(middle)} ${unit}</text>`,
    ];
  });
  return frame(title, height, [...rows, ...legend(series, height - 10)]);
}

/** A line: points from left to right. */
interface Line {
  series: string;
  points: readonly (readonly [x: number, y: number])[];
}

/** Draws lines over two linear axes that begin at zero. */
export function plotLines(title: string, [xUnit, yUnit]: readonly [string, string], lines: readonly Line[]): string {
  const height = 340;
  const [left, bottom] = [70, height - 56];
  const points = lines.flatMap((line) => line.points);
  const [right, up] = [Math.max(...points.map(([x]) => x)), Math.max(...points.map(([, y]) => y))];
  const x = (value: number) => left + (value / right) * (WIDTH - left - 40);
  const y = (value: number) => bottom - (value / up) * (bottom - TOP - 6);
  const steps = [0, 0.25, 0.5, 0.75, 1];
  return frame(title, height, [
    ...steps.map(
      (share) =>
        `<line x1="${left}" x2="${WIDTH - 40}" y1="${y(up * share).toFixed(1)}" y2="${y(up * share).toFixed(1)}" stroke="#ddd"/>` +
        `<text x="${left - 8}" y="${(y(up * share) + 4).toFixed(1)}" text-anchor="end">${shorten(up * share)}</text>` +
        `<text x="${x(right * share).toFixed(1)}" y="${bottom + 16}" text-anchor="middle">${shorten(right * share)}</text>`,
    ),
    ...lines.flatMap(({ points: own }, at) => {
      const colour = COLOURS[at % COLOURS.length];
      const path = own.map((point) => `${x(point[0]).toFixed(1)},${y(point[1]).toFixed(1)}`).join(" ");
      return [
        `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...own.map(
          (point) => `<circle cx="${x(point[0]).toFixed(1)}" cy="${y(point[1]).toFixed(1)}" r="3" fill="${colour}"/>`,
        ),
      ];
    }),
    `<text x="${left}" y="${TOP - 4}" fill="#555">${escapeText(yUnit)}</text>`,
    `<text x="${WIDTH - 40}" y="${bottom + 32}" text-anchor="end" fill="#555">${escapeText(xUnit)}</text>`,
    ...legend(
      lines.map(({ series }) => series),
      height - 10,
    ),
  ]);
}
