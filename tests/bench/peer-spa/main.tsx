import { createClient } from "@supabase/supabase-js";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Dialog, DropdownMenu, Select, Tabs, Tooltip } from "radix-ui";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Outlet, Route, Routes, useParams } from "react-router-dom";

/*
 * A small application with the client-rendered architecture of the specification. It shows the same data at the same
 * URLs as the product, whose pages are measured against it. It requests everything in parallel as soon as it knows the
 * player, which favours it in the comparison.
 */

type Row = Record<string, string>;

/** The player whom the API has embedded in a row. */
const playerIn = (row: Row, column: string) => (row as unknown as Record<string, Row | null>)[column];

const supabase = createClient(location.origin, "anonymous", { auth: { storageKey: "peer-session" } });
const UserContext = createContext<string | undefined>(undefined);

/** Marks the page as usable once one of its queries has a result, as hydration does for the product's pages. */
const useReady = (isReady: boolean) =>
  useEffect(() => {
    if (isReady) document.documentElement.dataset.hydrated = "";
  }, [isReady]);

function useRows(name: string, ask: (userId: string) => PromiseLike<{ data: unknown; error: unknown }>): Row[] {
  const userId = useContext(UserContext);
  const { data } = useQuery({
    queryKey: [name, userId],
    enabled: userId !== undefined,
    queryFn: async () => {
      const { data, error } = await ask(userId as string);
      if (error) throw error;
      return data as Row[];
    },
  });
  useReady(data !== undefined);
  return data ?? [];
}

function Session({ children }: { children: ReactNode }) {
  const [userId, setUserId] = useState<string>();
  useEffect(() => {
    void supabase.auth.getSession().then(({ data }) => setUserId(data.session?.user.id));
  }, []);
  return <UserContext.Provider value={userId}>{children}</UserContext.Provider>;
}

function Dashboard() {
  const own = useRows("own profile", (id) => supabase.from("own_profile").select("*").eq("user_id", id));
  const unread = useRows("unread", (id) => supabase.from("unread").select("*").eq("user_id", id));
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex gap-4 p-4">
        <Link to="/">Lineup</Link>
        <Link to="/dashboard">LFG</Link>
        <Link to="/dashboard/players">Players</Link>
        <Link to="/dashboard/messages">Chat {unread.length}</Link>
        <Link to="/dashboard/tournaments">Tournaments</Link>
        <DropdownMenu.Root>
          <DropdownMenu.Trigger>{own[0]?.riot_game_name}</DropdownMenu.Trigger>
          <DropdownMenu.Content>
            <DropdownMenu.Item>Sign Out</DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Root>
      </header>
      <main className="measure flex-1">
        <Outlet />
      </main>
    </div>
  );
}

const Hint = ({ text, children }: { text: string; children: ReactNode }) => (
  <Tooltip.Root>
    <Tooltip.Trigger>{children}</Tooltip.Trigger>
    <Tooltip.Content>{text}</Tooltip.Content>
  </Tooltip.Root>
);

function Posts() {
  const posts = useRows("posts", () => supabase.from("lfg_posts").select("*, profile:profiles(*)").limit(20));
  return (
    <>
      <Dialog.Root>
        <Dialog.Trigger>New post</Dialog.Trigger>
        <Dialog.Content>
          <Dialog.Title>New post</Dialog.Title>
          <form>
            <input name="title" />
          </form>
        </Dialog.Content>
      </Dialog.Root>
      <Select.Root>
        <Select.Trigger>
          <Select.Value placeholder="Rank" />
        </Select.Trigger>
        <Select.Content>
          <Select.Item value="Gold 1">
            <Select.ItemText>Gold 1</Select.ItemText>
          </Select.Item>
        </Select.Content>
      </Select.Root>
      {posts.map((post) => (
        <article key={post.id} className="rounded-panel bg-sheet p-5">
          <h2>{post.title}</h2>
          <p>{post.message}</p>
          <Link to={`/players/${post.user_id}`}>{playerIn(post, "profile")?.riot_game_name}</Link>
          <Hint text="Verified">✓</Hint>
          <span>{playerIn(post, "profile")?.current_rank}</span>
          <span>{playerIn(post, "profile")?.preferred_role}</span>
          <span>{post.region}</span>
          <span>{post.needed_players} needed</span>
          <button type="button">Join</button>
          <button type="button">Message</button>
        </article>
      ))}
    </>
  );
}

/** Groups all of the player's messages into conversations: the specification has no table of conversations. */
function Conversations() {
  const userId = useContext(UserContext);
  const messages = useRows("messages", (id) =>
    supabase.from("messages").select("*, sender:profiles(*), receiver:profiles(*)").or(`sender_id.eq.${id}`),
  );
  const latest = new Map<string, Row>();
  for (const message of messages) latest.set(message.conversation_id ?? "", message);
  return (
    <nav aria-label="Conversations">
      <ul>
        {[...latest.values()].reverse().map((message) => (
          <li key={message.conversation_id}>
            <Link to={`/dashboard/messages/${message.conversation_id}`}>
              {playerIn(message, message.sender_id === userId ? "receiver" : "sender")?.riot_game_name}
            </Link>
            <p>{message.content}</p>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Thread() {
  const { id = "" } = useParams();
  const messages = useRows(`thread ${id}`, () => supabase.from("thread").select("*").eq("conversation_id", id));
  return (
    <div role="log">
      <ul>
        {messages.map((message) => (
          <li key={message.id}>{message.content}</li>
        ))}
      </ul>
      <form>
        <textarea name="message" />
        <button type="submit">Send</button>
      </form>
    </div>
  );
}

function Players() {
  const players = useRows("players", () => supabase.from("profiles").select("*").limit(20));
  return (
    <ul>
      {players.map((player) => (
        <li key={player.user_id} className="rounded-panel bg-sheet p-5">
          <Link to={`/players/${player.user_id}`}>{player.riot_game_name}</Link>
          <span>{player.current_rank}</span>
          <span>{player.preferred_role}</span>
          <span>{player.region}</span>
          <p>{player.description}</p>
        </li>
      ))}
    </ul>
  );
}

function Player() {
  const { id = "" } = useParams();
  const [player] = useRows(`player ${id}`, () => supabase.from("profile").select("*").eq("user_id", id));
  return player ? (
    <Tabs.Root defaultValue="profile">
      <h1>{player.riot_game_name ?? "Player"}</h1>
      <Tabs.List>
        <Tabs.Trigger value="profile">Profile</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="profile">
        <p>{player.description}</p>
        <p>{player.current_rank}</p>
      </Tabs.Content>
    </Tabs.Root>
  ) : null;
}

function Tournaments() {
  const tournaments = useRows("tournaments", () => supabase.from("tournaments").select("*").limit(20));
  return tournaments.map((tournament) => (
    <article key={tournament.id} className="rounded-panel bg-sheet p-5">
      <h2>
        <Link to={`/tournaments/${tournament.id}`}>{tournament.title}</Link>
      </h2>
      <p>{tournament.description}</p>
      <span>{tournament.max_participants}</span>
      <span>{tournament.prize_pool}</span>
    </article>
  ));
}

function Bracket() {
  const { id = "" } = useParams();
  const matches = useRows(`bracket ${id}`, () => supabase.from("matches").select("*").eq("tournament_id", id));
  return matches.map((match) => (
    <article key={match.id} className="match">
      <ul>
        <li>
          {match.one} {match.score1}
        </li>
        <li>
          {match.two} {match.score2}
        </li>
      </ul>
    </article>
  ));
}

function Landing() {
  useReady(true);
  return (
    <main>
      <h1>Find your fifth</h1>
      <Link to="/auth">Sign up</Link>
    </main>
  );
}

function SignIn() {
  useReady(true);
  return (
    <main>
      <form>
        <input name="email" type="email" />
        <input name="password" type="password" />
        <button type="submit">Sign In</button>
      </form>
    </main>
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(
  <QueryClientProvider client={new QueryClient()}>
    <Session>
      <Tooltip.Provider>
        <BrowserRouter>
          <Routes>
            <Route path="/" element={<Landing />} />
            <Route path="/auth" element={<SignIn />} />
            <Route element={<Dashboard />}>
              <Route path="/dashboard" element={<Posts />} />
              <Route path="/dashboard/messages" element={<Conversations />} />
              <Route path="/dashboard/messages/:id" element={<Thread />} />
              <Route path="/dashboard/players" element={<Players />} />
              <Route path="/players/:id" element={<Player />} />
              <Route path="/dashboard/tournaments" element={<Tournaments />} />
              <Route path="/tournaments/:id" element={<Bracket />} />
            </Route>
          </Routes>
        </BrowserRouter>
      </Tooltip.Provider>
    </Session>
  </QueryClientProvider>,
);
