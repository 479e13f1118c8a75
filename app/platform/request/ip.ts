/**
 * Returns the part of an IP address that most rate limits count by: all of an IPv4 address, but only the first 64 bits
 * of an IPv6 address, because Internet providers give each customer a whole /64 network or a larger one.
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

/**
 * Returns the wider network by which the limit on emails to one recipient counts: the first 24 bits of an IPv4 address,
 * or the first 48 of an IPv6 address. Someone who has one address often has its neighbours, too.
 * @param ip an address or network as `networkOf` returns it
 */
export function wideNetworkOf(ip: string): string {
  if (ip.includes(":")) return `${ip.split(":").slice(0, 3).join(":")}::/48`;
  return ip.replace(/^(\d+\.\d+\.\d+)\.\d+$/, "$1.0/24");
}
