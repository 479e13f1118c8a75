import { HINTED_PAGES, MEASURED_PAGES, WITH_HINTS } from "../../support/measured-pages";
import { plotBars } from "../plot";
import { type Figures, type Section, table } from "./figures";

const CONDITIONS = ["slow 4G", "unthrottled"];
const VARIANTS = ["ours", "ours without JavaScript", "static", "peer"];
const KINDS = ["Document", "Script", "Stylesheet", "Font", "Image", "Fetch", "all"];

/** Reports first visits and clicks, next to those of static files and the peer. */
export function reportPages(figures: Figures): Section {
  const plots = Object.fromEntries(
    CONDITIONS.map((condition) => [fileOf(condition), plotFirstItem(figures, condition)]),
  );
  return {
    text: `## Pages

First visits in Chromium with an empty cache, by HTTP/2 over TLS, with the database 50 ms away. On *slow 4G*, a proxy
allows 1.6 Mbps and adds 150 ms to each round trip, on top of the server's time (and of a connection's handshakes), and
the processor is four times slower. *Static* is the same bytes from a static file server, without JavaScript: the bound.
The *peer* is a client-rendered application as the specification describes it (React, supabase-js, react-query, Radix),
which shows the same data in the same style and requests all of it at once.

${CONDITIONS.map((condition) => reportCondition(figures, condition)).join("\n\n")}

### With Early Hints

The same visits with Cloudflare's *Early Hints* on, after anyone has visited the page before
([decision 0083](decisions/0083-early-hints.md)): in milliseconds, beside the figures from the tables above. The peer's
HTML is a file, which is served at once, so hints wouldn't help it.

${reportHints(figures)}

### Clicks between tabs

From LFG to the page and back, everything loaded: milliseconds until the next page's first item is painted.

${reportClicks(figures)}

### Requests and bytes

kB on the wire during a first visit, until the network is quiet, by kind.

${reportBytes(figures)}

The page of conversations of a player with 10 000 messages, compressed: ours
${figures.show("10 000 messages", "ours")} kB, the peer's messages ${figures.show("10 000 messages", "peer")} kB.
`,
    plots,
  };
}

const fileOf = (condition: string) => `pages-${condition.replace(" ", "-")}.svg`;

function reportCondition(figures: Figures, condition: string): string {
  const visible = `first item visible, ${condition}`;
  const interactive = `interactive, ${condition}`;
  const rows = MEASURED_PAGES.map((name) => {
    const [ours, fixed, peer] = ["ours", "static", "peer"].map((variant) => `${name}, ${variant}`) as [
      string,
      string,
      string,
    ];
    return [
      name,
      figures.show(ours, visible),
      figures.show(`${name}, ours without JavaScript`, visible),
      figures.show(fixed, visible),
      figures.show(peer, visible),
      figures.ratio([ours, visible], [fixed, visible]),
      figures.ratio([ours, visible], [peer, visible]),
      figures.show(ours, interactive),
      figures.ratio([ours, interactive], [peer, interactive]),
    ];
  });
  const paints = MEASURED_PAGES.flatMap((name) =>
    VARIANTS.map((variant) => [
      `${name}, ${variant}`,
      ...["TTFB", "FCP", "LCP", "quiet"].map((figure) =>
        figures.show(`${name}, ${variant}`, `${figure}, ${condition}`),
      ),
    ]),
  );
  return `### ${condition[0]?.toUpperCase()}${condition.slice(1)}

First item visible and interactive, in milliseconds.

${table(["page", "ours", "without JavaScript", "static", "peer", "ours ÷ static", "ours ÷ peer", "interactive", "÷ peer"], rows)}

![First item visible, ${condition}](benchmarks/${fileOf(condition)})

<details><summary>Paints, and the end of the last response</summary>

${table(["page", "TTFB", "FCP", "LCP", "quiet"], paints)}

</details>`;
}

const reportHints = (figures: Figures) =>
  table(
    ["page", "condition", "visible", "without hints", "÷ peer", "interactive", "without hints", "÷ peer"],
    HINTED_PAGES.flatMap((name) =>
      CONDITIONS.map((condition) => [
        name,
        condition,
        ...[`first item visible, ${condition}`, `interactive, ${condition}`].flatMap((subject) => [
          figures.show(`${name}, ${WITH_HINTS}`, subject),
          figures.show(`${name}, ours`, subject),
          figures.ratio([`${name}, ${WITH_HINTS}`, subject], [`${name}, peer`, subject]),
        ]),
      ]),
    ),
  );

const plotFirstItem = (figures: Figures, condition: string) =>
  plotBars(
    `First item visible, ${condition}`,
    "ms",
    MEASURED_PAGES.flatMap((name) =>
      VARIANTS.map((series) => ({
        label: name,
        series,
        samples: figures.samples(`${name}, ${series}`, `first item visible, ${condition}`),
      })),
    ).filter(({ samples }) => samples.length > 0),
  );

const reportClicks = (figures: Figures) =>
  table(
    ["page", ...CONDITIONS.flatMap((condition) => [`ours, ${condition}`, "peer", "ratio"])],
    ["Messages", "LFG", "Players"].map((name) => [
      name,
      ...CONDITIONS.flatMap((condition) => {
        const [ours, peer] = [`${name}, ours`, `${name}, peer`];
        const click = figures.median(ours, `click 1, ${condition}`) === undefined ? "click 2" : "click 1";
        const subject = `${click}, ${condition}`;
        return [
          figures.show(ours, subject),
          figures.show(peer, subject),
          figures.ratio([ours, subject], [peer, subject]),
        ];
      }),
    ]),
  );

const reportBytes = (figures: Figures) =>
  table(
    ["page", "requests", "HTML before compression", ...KINDS.map((kind) => kind.toLowerCase())],
    MEASURED_PAGES.flatMap((name) =>
      ["ours", "ours without JavaScript", "peer"].map((variant) => [
        `${name}, ${variant}`,
        figures.show(`${name}, ${variant}`, "requests, slow 4G"),
        figures.show(`${name}, ${variant}`, "HTML, slow 4G"),
        ...KINDS.map((kind) => figures.show(`${name}, ${variant}`, `${kind} bytes, slow 4G`)),
      ]),
    ),
  );
