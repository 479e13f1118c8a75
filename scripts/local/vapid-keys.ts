import { createECDH } from "node:crypto";

/** A pair of keys on P-256 in base64url: the public key as an uncompressed point. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Makes the keys with which a site signs its pushes (RFC 8292). */
export function createVapidKeys(): VapidKeys {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  // Node leaves out the leading zero bytes of the private key.
  const privateKey = Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex");
  return { publicKey: pair.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}
