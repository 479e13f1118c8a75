import "~/shell";
/** The list without a dialog over it. */
export default function LfgList() {
  return null;
}
