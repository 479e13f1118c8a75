import { useEffect, useState } from "react";
import { Button } from "~/ui/button";
import { isSoundOn, setSound } from "./sound";

/** Turns the sound on and off in this browser, and plays it once when it is turned on. Needs JavaScript. */
export function SoundSwitch() {
  // Off until hydration: only the browser knows.
  const [isOn, setOn] = useState(false);
  useEffect(() => setOn(isSoundOn()), []);
  const turn = () => {
    if (setSound(!isOn)) setOn(!isOn);
    // Offline, the sound is turned on without a sample.
    if (!isOn) import("./play.client").then(({ playSound }) => playSound()).catch(() => undefined);
  };
  return (
    <section aria-labelledby="sound-here" className="mt-7">
      <h3 id="sound-here" className="text-meta font-semibold">
        Sound
      </h3>
      <p className="mt-1 mb-3 text-muted">
        {isOn
          ? "This browser plays a sound when something new comes in while Lineup is open."
          : "Hear when something new comes in while Lineup is open in this browser."}
      </p>
      <Button type="button" onClick={turn}>
        {isOn ? "Turn off sound" : "Turn on sound"}
      </Button>
      <p className="hidden text-meta text-muted noscript:block">The sound needs JavaScript.</p>
    </section>
  );
}
