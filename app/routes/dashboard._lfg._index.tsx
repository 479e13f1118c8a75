import "~/shell";
/** The list alone, with no dialog over it. */
export default function LfgList() {
  return null;
}
