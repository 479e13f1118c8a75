import { useEffect, useRef } from "react";
import { HUMAN_TOKEN_FIELD, type HumanCheckOffer, type HumanCheckPurpose } from "~/platform/forms/human-check";

/** What Turnstile's script offers, as far as it is used here: https://developers.cloudflare.com/turnstile/ */
interface Turnstile {
  render(box: HTMLElement, options: Record<string, string>): string | undefined;
  remove(widget: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

let loading: Promise<Turnstile> | undefined;

function loadTurnstile(address: string): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.async = true;
    script.onload = () => (window.turnstile ? resolve(window.turnstile) : reject(new Error("Turnstile is not there")));
    script.onerror = () => reject(new Error("Turnstile was not loaded"));
    document.head.appendChild(script);
  });
  return loading;
}

/**
 * The check that a person sends the form it stands in; shows itself only where a person has something to do. Without
 * script, or where it can't be loaded, there is none, and the form works all the same (with a stricter limit).
 * Each sending uses its token up: give it a `key` that is another one after each answer.
 * @param offer from `offerHumanCheck`; with null there is nothing
 */
export function HumanCheck({ offer, purpose }: { offer: HumanCheckOffer | null; purpose: HumanCheckPurpose }) {
  const box = useRef<HTMLDivElement>(null);
  const { siteKey, script } = offer ?? {};
  useEffect(() => {
    if (!siteKey || !script) return;
    let end = () => {};
    let ended = false;
    loadTurnstile(script).then(
      (turnstile) => {
        if (ended || !box.current) return;
        const widget = turnstile.render(box.current, {
          sitekey: siteKey,
          action: purpose,
          appearance: "interaction-only",
          size: "flexible",
          "response-field-name": HUMAN_TOKEN_FIELD,
        });
        end = () => widget && turnstile.remove(widget);
      },
      // The form goes without.
      () => undefined,
    );
    return () => {
      ended = true;
      end();
    };
  }, [siteKey, script, purpose]);
  return offer && <div ref={box} />;
}
