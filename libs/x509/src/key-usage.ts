import { bits, objectId, sequence } from "./der-writer.ts";
import { expectElement, readAll, readObjectId, readSequence } from "./der-reader.ts";

/** Bits of the key usage extension, by their number (RFC 5280 §4.2.1.3). */
const keyUsages = [
  "digitalSignature",
  "contentCommitment",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
] as const;
export type KeyUsage = (typeof keyUsages)[number];

/** Purposes of the extended key usage extension. */
const extendedKeyUsages = {
  any: "2.5.29.37.0",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  emailProtection: "1.3.6.1.5.5.7.3.4",
  ipsecEndSystem: "1.3.6.1.5.5.7.3.5",
  ipsecTunnel: "1.3.6.1.5.5.7.3.6",
  ipsecUser: "1.3.6.1.5.5.7.3.7",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  ocspSigning: "1.3.6.1.5.5.7.3.9",
  microsoftServerGatedCrypto: "1.3.6.1.4.1.311.10.3.3",
  netscapeServerGatedCrypto: "2.16.840.1.113730.4.1",
  microsoftCommercialCodeSigning: "1.3.6.1.4.1.311.2.1.22",
  microsoftKernelCodeSigning: "1.3.6.1.4.1.311.61.1.1",
} as const;
export type ExtendedKeyUsage = keyof typeof extendedKeyUsages;

export function encodeKeyUsage(usages: readonly KeyUsage[]): Buffer {
  const numbers = usages.map((usage) => keyUsages.indexOf(usage));
  const last = Math.max(...numbers);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const number of numbers) bytes[number >> 3] = (bytes[number >> 3] ?? 0) | (0x80 >> (number & 7));
  return bits(bytes, 7 - (last & 7));
}

export function decodeKeyUsage(der: Buffer): KeyUsage[] {
  const { content } = expectElement(readAll(der), 0, 0x03);
  return keyUsages.filter((_, number) => ((content[1 + (number >> 3)] ?? 0) & (0x80 >> (number & 7))) !== 0);
}

export function encodeExtendedKeyUsage(usages: readonly ExtendedKeyUsage[]): Buffer {
  return sequence(...usages.map((usage) => objectId(extendedKeyUsages[usage])));
}

/** Unknown purposes are left out. */
export function decodeExtendedKeyUsage(der: Buffer): ExtendedKeyUsage[] {
  const known = new Map(
    Object.entries(extendedKeyUsages).map(([name, id]) => [id as string, name as ExtendedKeyUsage]),
  );
  return readSequence(der).flatMap(({ content }) => known.get(readObjectId(content)) ?? []);
}
