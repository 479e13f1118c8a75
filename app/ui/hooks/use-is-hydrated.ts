import { useEffect, useState } from "react";

/** Whether the page is hydrated: false on the server and in the first render, which must match the server's. */
export function useIsHydrated(): boolean {
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  return scripted;
}
