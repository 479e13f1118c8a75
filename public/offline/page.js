/*
 * The script of `/offline`, which the service worker shows at the address of a page that couldn't be loaded. It lists
 * the player's own unsent messages in this browser, and reloads the address once the site can be reached again and the
 * page is visible.
 */

/** Delays between two probes, in milliseconds; the last one repeats. */
const DELAYS = [2_000, 5_000, 10_000];
const PROBE_TIMEOUT = 5_000;

/** Lists the messages that wait for the network, oldest first (`app/features/messages/thread/unsent.ts`). */
function listUnsent() {
  const viewerId = localStorage.getItem("lineup:viewer");
  if (!viewerId) return [];
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(`lineup:unsent:${viewerId}:`))
    .flatMap((key) => JSON.parse(localStorage.getItem(key)))
    .filter(({ isFailed }) => !isFailed)
    .sort((one, other) => one.createdAt - other.createdAt);
}

function showUnsent() {
  const messages = listUnsent();
  for (const { content } of messages) {
    const item = document.createElement("li");
    item.dir = "auto";
    item.textContent = content;
    document.querySelector("#unsent ul").append(item);
  }
  document.getElementById("unsent").hidden = messages.length === 0;
}

const pause = (duration) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, duration);
    addEventListener("online", () => resolve(clearTimeout(timer)), { once: true });
  });

const probe = () =>
  fetch("/healthz", { method: "HEAD", signal: AbortSignal.timeout(PROBE_TIMEOUT) }).then(
    () => true,
    () => false,
  );

/** Waits until somebody can see the page: the messages and news of a page that has loaded count as read. */
const untilVisible = () =>
  new Promise((resolve) => {
    if (document.hidden) document.addEventListener("visibilitychange", resolve, { once: true });
    else resolve();
  });

async function returnWhenReached() {
  // A page that failed again although the site answers is not reloaded at once.
  const [{ type }] = performance.getEntriesByType("navigation");
  for (let round = type === "reload" ? DELAYS.length : 0; ; round += 1) {
    await pause(DELAYS[Math.min(round, DELAYS.length - 1)]);
    await untilVisible();
    if ((await probe()) && !document.hidden) return location.reload();
  }
}

try {
  showUnsent();
} catch {
  // Storage may be forbidden, or hold something else.
}
if (location.pathname !== "/offline") {
  document.getElementById("returns").hidden = false;
  document.getElementById("again").href = location.href;
  void returnWhenReached();
}
