import { LinkedText } from "~/features/messages/shared/linked-text";

/** The evidence that a team gave with its dispute. */
export const Evidence = ({ text }: { text: string }) => (
  <blockquote dir="auto" className="mt-3 border-l-2 border-edge pl-3.5 wrap-anywhere whitespace-pre-line">
    <LinkedText text={text} />
  </blockquote>
);
