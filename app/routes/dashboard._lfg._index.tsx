import "~/shell";
/** The page without a dialog: the parent route renders the whole list. */
export default function LfgList() {
  return null;
}
