import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from "node:crypto";

/** The keys of a browser's subscription, with the private one that never leaves a real browser. */
export interface BrowserKeys {
  /** The public key, as an uncompressed point of P-256. */
  p256dh: Buffer;
  privateKey: Buffer;
  /** The secret that browser and site share, 16 bytes. */
  auth: Buffer;
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/**
 * Decrypts a push as a browser does: RFC 8291, one record of RFC 8188. Written against Node's crypto, so that it shares
 * nothing with the library that encrypts.
 * @throws Error if the body isn't a valid push for these keys
 */
export function decryptPush(body: Buffer, { p256dh, privateKey, auth }: BrowserKeys): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (record.length > recordSize) throw new Error("The push has more than one record.");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, sender]);
  const secret = hkdf(pair.computeSecret(sender), auth, info, 32);
  const key = hkdf(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = hkdf(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error("The push's last record has no delimiter.");
  return padded.subarray(0, end).toString();
}

/** The claims of a VAPID token (RFC 8292). */
interface VapidClaims {
  aud: string;
  exp: number;
  sub: string;
}

/**
 * Checks the `Authorization` header of a push.
 * @returns the site's key and the token's claims; null if the header doesn't hold a token signed with that key
 */
export function readVapid(authorization: string | null): { key: string; claims: VapidClaims } | null {
  const [, token = "", key = ""] = authorization?.match(/^vapid t=([\w.-]+), ?k=([\w-]+)$/i) ?? [];
  const [header = "", payload = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65) return null;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y } as never, format: "jwk" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${payload}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  return isSigned && read(header).alg === "ES256" ? { key, claims: read(payload) } : null;
}
