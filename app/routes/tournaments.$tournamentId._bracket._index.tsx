import "~/shell";
/** The bracket alone, with no dialog over it. */
export default function BracketAlone() {
  return null;
}
