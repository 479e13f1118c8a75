/**
 * The colours of `app/styles/tokens.css` as email programs understand them, in sRGB hex, light and dark. A unit test
 * recomputes them from the stylesheet.
 */
export const PALETTE = {
  light: {
    floor: "#f6f4f0",
    sheet: "#fefdfc",
    raised: "#f0ede9",
    line: "#dad7d2",
    text: "#261c15",
    muted: "#564b42",
    banner: "#3d332b",
    spot: "#79c9fc",
    "on-spot": "#081829",
    "spot-edge": "#13619d",
    "spot-text": "#0b579c",
  },
  dark: {
    floor: "#16110e",
    sheet: "#1f1a15",
    raised: "#2a231e",
    line: "#39332d",
    text: "#f5f0e8",
    muted: "#bfb8ae",
    banner: "#e0dad1",
    spot: "#79c9fc",
    "on-spot": "#081829",
    "spot-edge": "#79c9fc",
    "spot-text": "#8dd0fc",
  },
} as const;
