import { useRoom } from "~/platform/rooms/use-room";
import { useReload } from "./use-reload";

/**
 * Keeps a page up to date: reloads its data when the room reports a change.
 * @param path the room's address
 * @param since when the page's data was read, in milliseconds since 1970
 * @param isNews whether a frame is a reason to reload
 */
export function useReloadingRoom(path: string, since: number, isNews: (frame: string) => boolean): void {
  const reload = useReload();
  useRoom(path, {
    since,
    onFrame: (frame) => {
      if (isNews(frame)) reload();
    },
    // The room repeats the news since the page's data was read. But it may have missed some itself, for example because
    // a call failed during a deploy.
    onReopen: reload,
  });
}
