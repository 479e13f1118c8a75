import { useEffect } from "react";

const PSEUDO_CLASS = /(?<!\\):(hover|focus-visible)\b/g;

/**
 * Replaces pseudo-classes with the attribute that makes specimens look hovered or focused: `data-show="hover"`,
 * `data-show="focus-visible"`.
 */
const asShown = (css: string) => css.replace(PSEUDO_CLASS, '[data-show~="$1"]');

/** Adds a copy of each `:hover` and `:focus-visible` rule after the rule itself; both have the same specificity. */
function copyRules(parent: CSSStyleSheet | CSSGroupingRule | CSSStyleRule): void {
  for (let index = parent.cssRules.length - 1; index >= 0; index--) {
    const rule = parent.cssRules[index];
    if (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule) copyRules(rule);
    if (!(rule instanceof CSSStyleRule)) continue;
    if (asShown(rule.selectorText) !== rule.selectorText) parent.insertRule(asShown(rule.cssText), index + 1);
  }
}

/**
 * Lets specimens look hovered or focused according to the product's own rules, which stay unchanged in its stylesheet.
 * Needs script.
 */
export function useShownStates(): void {
  useEffect(() => {
    for (const sheet of document.styleSheets) copyRules(sheet);
  }, []);
}
