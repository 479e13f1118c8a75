import type { Results } from "../results";
import { median } from "../statistics";

/** A part's results as the report reads them. */
export class Figures {
  readonly #results: Results;

  constructor(results: Results) {
    this.#results = results;
  }

  /** The groups in which a figure was measured, in the order of measuring. */
  groups(subject: RegExp): string[] {
    return [...new Set(this.#results.figures.filter((one) => subject.test(one.subject)).map(({ group }) => group))];
  }

  /** The subjects measured in a group. */
  subjects(group: string): string[] {
    return this.#results.figures.filter((figure) => figure.group === group).map(({ subject }) => subject);
  }

  unit(group: string, subject: string): string {
    return this.#results.figures.find((figure) => figure.group === group && figure.subject === subject)?.unit ?? "";
  }

  samples(group: string, subject: string): readonly number[] {
    return this.#results.figures.find((figure) => figure.group === group && figure.subject === subject)?.samples ?? [];
  }

  /** The median, or undefined if it was not measured. */
  median(group: string, subject: string): number | undefined {
    const samples = this.samples(group, subject);
    return samples.length > 0 ? median(samples) : undefined;
  }

  /** The mean, or 0 if it was not measured. */
  mean(group: string, subject: string): number {
    const samples = this.samples(group, subject);
    return samples.reduce((sum, sample) => sum + sample, 0) / (samples.length || 1);
  }

  /** The median with the smallest and the largest sample, as a table shows them. */
  show(group: string, subject: string): string {
    const samples = this.samples(group, subject);
    if (samples.length === 0) return "–";
    const middle = number(median(samples));
    const [least, most] = [number(Math.min(...samples)), number(Math.max(...samples))];
    return least === most ? middle : `${middle} (${least}–${most})`;
  }

  /** The ratio of two medians, as a table shows it. */
  ratio(one: readonly [string, string], other: readonly [string, string]): string {
    const [above, below] = [this.median(...one), this.median(...other)];
    return above === undefined || !below ? "–" : (above / below).toFixed(2);
  }
}

/** Writes a number with three digits, or as a whole number with its thousands separated. */
export const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en").replaceAll(",", " ") : String(+value.toPrecision(3));

/** Writes a table in Markdown. The first column is text, the others are numbers. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? "---" : "---:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** A section of the report, with the plots it shows by file name. */
export interface Section {
  text: string;
  plots: Record<string, string>;
}
