import "~/shell";
/** The list alone; beside it, where there is room, what to do next. */
export default function NoConversation() {
  return <p className="m-auto px-6 py-16 text-center text-muted">Choose a conversation to read it here.</p>;
}
