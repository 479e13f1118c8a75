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
