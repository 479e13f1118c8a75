import { useEffect, useRef } from "react";
import { ZONE_FIELD } from "~/platform/dates/time-zone";
import { browserZone } from "../hooks/use-browser-zone";

/** A hidden field with the browser's time zone, for visitors' forms; empty without JavaScript. */
export function BrowserZoneField() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) field.current.value = browserZone();
  }, []);
  return <input ref={field} type="hidden" name={ZONE_FIELD} />;
}
