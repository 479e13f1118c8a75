/** The reasons why push can't be turned on. */
const UNSUPPORTED = "This browser doesn't support push. On an iPhone or iPad, add Lineup to your home screen first.";
const DENIED =
  "Your browser blocks notifications from Lineup. Allow them in its settings for this site, then try again.";
const FAILED = "Push couldn't be turned on. Check your connection, then try again.";

/**
 * Asks the player for permission, installs the service worker, and registers this browser's subscription.
 * @param publicKey the site's key (RFC 8292)
 * @returns the reason for a failure; null on success
 */
export async function turnOnPush(publicKey: string): Promise<string | null> {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return UNSUPPORTED;
  try {
    // Must come first: some browsers only allow the request directly after a click.
    if ((await Notification.requestPermission()) !== "granted") return DENIED;
    const registration = await navigator.serviceWorker.register("/sw.js");
    await waitUntilActive(registration);
    const { pushManager } = registration;
    const wanted = { userVisibleOnly: true, applicationServerKey: publicKey };
    const subscription = await pushManager.subscribe(wanted).catch(async () => {
      // The site's key has changed, and the old subscription would prevent a new one.
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(wanted);
    });
    const { endpoint = "", keys } = subscription.toJSON();
    const response = await fetch("/push", { method: "POST", body: new URLSearchParams({ endpoint, ...keys }) });
    // The body is read even on success: until then, the browser counts the request as running.
    const { error = FAILED } = (await response.json()) as { error?: string };
    return response.ok ? null : error;
  } catch {
    return FAILED;
  }
}

/**
 * Waits until a service worker can receive pushes. (`ready` would wait for ever if the first one can't be installed.)
 * @throws Error if it can't be installed
 */
function waitUntilActive(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  return new Promise((resolve, reject) => {
    const check = () => {
      if (registration.active) resolve();
      else if (!worker || worker.state === "redundant") reject(new Error("The service worker can't be installed."));
    };
    worker?.addEventListener("statechange", check);
    check();
  });
}

const findRegistration = () => navigator.serviceWorker?.getRegistration("/sw.js");

/** Ends this browser's subscription at its push service. */
export async function turnOffPush(): Promise<void> {
  const registration = await findRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Removes all that signing out would leave behind: the subscription, notifications, and the number on the icon. */
export async function removePushes(): Promise<void> {
  const registration = await findRegistration();
  for (const one of (await registration?.getNotifications?.()) ?? []) one.close();
  await Promise.allSettled([turnOffPush(), navigator.clearAppBadge?.()]);
}
