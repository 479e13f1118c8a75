/* Whether this browser plays a sound for news while a tab is open: a choice of the browser, since rooms differ. */

const KEY = "lineup:sound";

/** Whether the player has turned on the sound here. Storage may be forbidden: then it is off. */
export function isSoundOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Turns the sound on or off. @returns whether the browser keeps that */
export function setSound(isOn: boolean): boolean {
  try {
    if (isOn) localStorage.setItem(KEY, "on");
    else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}
