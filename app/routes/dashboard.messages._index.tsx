import "~/shell";
/** The list alone; on wide screens with a hint beside it. */
export default function NoConversation() {
  return <p className="m-auto px-6 py-16 text-center text-muted">Choose a conversation to read it here.</p>;
}
