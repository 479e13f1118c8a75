/*
 * Whether this browser plays a sound for news while a tab is open. Stored per browser, since a player may want the
 * sound on one device but not on another.
 */

const KEY = "lineup:sound";

/** Whether the player has turned on the sound here. Off if storage is unavailable. */
export function isSoundOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Turns the sound on or off. @returns whether the browser could store the choice */
export function setSound(isOn: boolean): boolean {
  try {
    if (isOn) localStorage.setItem(KEY, "on");
    else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}
