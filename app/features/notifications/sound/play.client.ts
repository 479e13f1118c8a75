/** Two short notes: their frequencies in hertz. */
const NOTES = [659, 880];
/** The time from one note to the next, in seconds. Each note lasts twice as long. */
const NOTE_INTERVAL = 0.12;
/**
 * The longest time that a browser may take to begin playing, in milliseconds: it has to open the audio device first.
 */
const START_TIMEOUT = 1_000;
/** The time that open tabs have to report the news that they show as read, in milliseconds. */
const READ_MEANWHILE = 1_500;
/** The time that other tabs stay silent, in milliseconds. The timers of hidden tabs may be late by a second. */
const SILENT_TIME = READ_MEANWHILE + 1_500;

const pause = (duration: number) => new Promise<void>((resolve) => setTimeout(resolve, duration));

/**
 * Plays the sound for news. A tab without the focus waits first, because the player may be reading the news in another.
 * @param isStillNews returns whether the news is still unread; called after the wait
 * @param isOnPage whether this page may show the news; then a tab with the focus waits, too
 */
export async function playNewsSound(isStillNews: () => boolean, isOnPage = false): Promise<void> {
  if (isOnPage || !document.hasFocus()) await pause(READ_MEANWHILE);
  if (isStillNews()) await playSound();
}

/**
 * Plays two soft notes, synthesised so that there is no file to load. Only one of several open tabs plays them. The
 * tabs try one after another, because browsers keep a tab silent until the player has interacted with it.
 */
export async function playSound(): Promise<void> {
  await navigator.locks.request("lineup:sound-turn", () => {
    return new Promise<void>((endTurn, fail) => {
      const play = async (lock: Lock | null) => {
        if (!lock) return;
        const audio = new AudioContext();
        for (const [index, frequency] of NOTES.entries())
          playNote(audio, frequency, audio.currentTime + index * NOTE_INTERVAL);
        if (await isStarted(audio)) {
          endTurn();
          await pause(SILENT_TIME);
        }
        await audio.close();
      };
      navigator.locks.request("lineup:sound", { ifAvailable: true }, play).then(endTurn, fail);
    });
  });
}

/**
 * Waits until a context plays. According to the specification, a new one is suspended at first, even where it may play
 * (only Chromium says `running` immediately): https://github.com/WebAudio/web-audio-api/issues/2218
 * @returns whether it plays
 */
async function isStarted(audio: AudioContext): Promise<boolean> {
  const hasChanged = new Promise((resolve) => audio.addEventListener("statechange", resolve));
  if (audio.state !== "running") await Promise.race([hasChanged, pause(START_TIMEOUT)]);
  return audio.state === "running";
}

function playNote(audio: AudioContext, frequency: number, at: number): void {
  const tone = new OscillatorNode(audio, { type: "sine", frequency });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.linearRampToValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.12, at + 0.01);
  volume.gain.linearRampToValueAtTime(0, at + 2 * NOTE_INTERVAL);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 2 * NOTE_INTERVAL);
}
