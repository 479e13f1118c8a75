/** Two short notes: their frequencies in hertz. */
const NOTES = [659, 880];
/** The time from one note to the next, in seconds. Each note lasts twice as long. */
const NOTE = 0.12;
/** The time that other tabs stay silent, in milliseconds. */
const ONE_TAB = 1_000;

/**
 * Plays the sound for news: two soft notes, synthesised so that there is no file to load. Only one of several open tabs
 * plays it. Browsers keep a tab silent until the player has interacted with it.
 */
export async function playSound(): Promise<void> {
  await navigator.locks.request("lineup:sound", { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const audio = new AudioContext();
    if (audio.state === "running") {
      for (const [index, frequency] of NOTES.entries()) playNote(audio, frequency, audio.currentTime + index * NOTE);
    }
    await new Promise((resolve) => setTimeout(resolve, ONE_TAB));
    await audio.close();
  });
}

function playNote(audio: AudioContext, frequency: number, at: number): void {
  const tone = new OscillatorNode(audio, { type: "sine", frequency });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.linearRampToValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.12, at + 0.01);
  volume.gain.linearRampToValueAtTime(0, at + 2 * NOTE);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 2 * NOTE);
}
