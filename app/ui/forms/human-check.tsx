import { useEffect, useRef } from "react";
import { HUMAN_TOKEN_FIELD, type HumanCheckOffer, type HumanCheckPurpose } from "~/platform/forms/human-check";

/** The part of Turnstile's API that is used here: https://developers.cloudflare.com/turnstile/ */
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
    script.onload = () => (window.turnstile ? resolve(window.turnstile) : reject(new Error("Turnstile is missing")));
    script.onerror = () => {
      loading = undefined;
      reject(new Error("Turnstile was not loaded"));
    };
    document.head.appendChild(script);
  });
  return loading;
}

/**
 * Checks that a person submits the surrounding form. Visible only if it needs the person's input. Without script, or if
 * the check can't be loaded, the form works without it (with a stricter limit). Each submission uses up the token: pass
 * a `key` that changes with each response.
 * @param offer from `offerHumanCheck`; null renders nothing
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
      // The form is sent without a token.
      () => undefined,
    );
    return () => {
      ended = true;
      end();
    };
  }, [siteKey, script, purpose]);
  return offer && <div ref={box} />;
}
