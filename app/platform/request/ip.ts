/**
 * Returns the part of an IP address that rate limits count by: all of an IPv4 address, but only the first 64 bits of an
 * IPv6 address, because Internet providers give each customer a whole /64 network or a larger one.
 */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.split("::");
  const groups = (part: string) => part.split(":").filter(Boolean);
  const known = [...groups(head), ...groups(tail ?? "")].length;
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - known)).fill("0");
  const all = [...groups(head), ...zeros, ...groups(tail ?? "")];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
