import { useEffect } from "react";

const PSEUDO_CLASS = /(?<!\\):(hover|focus-visible)\b/g;

/** What an element wears to look hovered or focused: `data-show="hover"`, `data-show="focus-visible"`. */
const asShown = (css: string) => css.replace(PSEUDO_CLASS, '[data-show~="$1"]');

/** Puts a copy of each `:hover` and `:focus-visible` rule behind the rule itself; both weigh the same. */
function copyRules(parent: CSSStyleSheet | CSSGroupingRule | CSSStyleRule): void {
  for (let index = parent.cssRules.length - 1; index >= 0; index--) {
    const rule = parent.cssRules[index];
    if (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule) copyRules(rule);
    if (!(rule instanceof CSSStyleRule)) continue;
    if (asShown(rule.selectorText) !== rule.selectorText) parent.insertRule(asShown(rule.cssText), index + 1);
  }
}

/**
 * Lets the page show how things look under the pointer and in focus: by the product's own rules, which stay as they are
 * in its stylesheet. Needs script.
 */
export function useShownStates(): void {
  useEffect(() => {
    for (const sheet of document.styleSheets) copyRules(sheet);
  }, []);
}
