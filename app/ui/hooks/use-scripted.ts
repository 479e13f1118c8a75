import { useEffect, useState } from "react";

/** Whether script has taken over: false on the server and in the first rendering, which must be like the server's. */
export function useScripted(): boolean {
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);
  return scripted;
}
