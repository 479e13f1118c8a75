import "~/shell";
/** The bracket without a dialog over it. */
export default function BracketAlone() {
  return null;
}
