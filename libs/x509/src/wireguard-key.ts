import { createPrivateKey, createPublicKey } from "node:crypto";
import { integer, objectId, octets, sequence } from "./der-writer.ts";
import { objectIds } from "./object-ids.ts";
import { keyBitsOf } from "./read-certificate.ts";

/** A private key of WireGuard (X25519) from 32 random bytes. */
export function createWireguardKey(random: Uint8Array): Buffer {
  const key = Buffer.from(random);
  // RFC 7748 §5: multiples of 8 with bit 254 as the highest one.
  key.writeUInt8(key.readUInt8(0) & 0xf8, 0);
  key.writeUInt8((key.readUInt8(31) & 0x7f) | 0x40, 31);
  return key;
}

/** The 32 bytes of the public key that belongs to a private one. */
export function wireguardPublicKey(privateKey: Uint8Array): Buffer {
  const der = sequence(integer(Buffer.from([0])), sequence(objectId(objectIds.x25519)), octets(octets(privateKey)));
  return keyBitsOf(createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" })));
}
