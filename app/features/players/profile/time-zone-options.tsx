/** Time zones by continent; zones without a continent come first. */
export type TimeZones = readonly (readonly [continent: string, zones: readonly string[]])[];

export function TimeZoneOptions({ zones }: { zones: TimeZones }) {
  const city = (zone: string) => zone.slice(zone.indexOf("/") + 1).replaceAll("_", " ");
  return zones.map(([continent, names]) => {
    const options = names.map((zone) => (
      <option key={zone} value={zone}>
        {city(zone)}
      </option>
    ));
    return continent ? (
      <optgroup key={continent} label={continent}>
        {options}
      </optgroup>
    ) : (
      options
    );
  });
}
