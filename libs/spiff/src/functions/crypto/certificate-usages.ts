import type { Certificate, ExtendedKeyUsage, KeyUsage } from "@landscaper/x509";
import { failLocally, quoting } from "../../evaluate/failure.ts";

/** spiff's names of key usages. */
const keyUsageNames: Readonly<Record<KeyUsage, string>> = {
  digitalSignature: "Signature",
  contentCommitment: "ContentCommitment",
  keyEncipherment: "KeyEncipherment",
  dataEncipherment: "DataEncipherment",
  keyAgreement: "KeyAgreement",
  keyCertSign: "CertSign",
  cRLSign: "CRLSign",
  encipherOnly: "EncipherOnly",
  decipherOnly: "DecipherOnly",
};
const extendedUsageNames: Readonly<Record<ExtendedKeyUsage, string>> = {
  any: "Any",
  serverAuth: "ServerAuth",
  clientAuth: "ClientAuth",
  codeSigning: "CodeSigning",
  emailProtection: "EmailProtection",
  ipsecEndSystem: "IPSECEndSystem",
  ipsecTunnel: "IPSECTunnel",
  ipsecUser: "IPSECUser",
  timeStamping: "TimeStamping",
  ocspSigning: "OCSPSigning",
  microsoftServerGatedCrypto: "MicrosoftServerGatedCrypto",
  netscapeServerGatedCrypto: "NetscapeServerGatedCrypto",
  microsoftCommercialCodeSigning: "MicrosoftCommercialCodeSigning",
  microsoftKernelCodeSigning: "MicrosoftKernelCodeSigning",
};

/** Case does not count; the name that is printed for contentCommitment is not the one that is read. */
const keyUsagesByName = new Map(
  Object.entries(keyUsageNames).map(([usage, name]) => [
    name.toLowerCase().replace("contentcommitment", "commitment"),
    usage as KeyUsage,
  ]),
);
const extendedUsagesByName = new Map(
  Object.entries(extendedUsageNames).map(([usage, name]) => [name.toLowerCase(), usage as ExtendedKeyUsage]),
);

export interface Usages {
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
}

export function parseUsages(names: readonly string[]): Usages {
  const keyUsages = new Set<KeyUsage>();
  const extendedKeyUsages = new Set<ExtendedKeyUsage>();
  for (const name of names) {
    const keyUsage = keyUsagesByName.get(name.toLowerCase());
    const extendedUsage = extendedUsagesByName.get(name.toLowerCase());
    if (keyUsage !== undefined) keyUsages.add(keyUsage);
    else if (extendedUsage !== undefined) extendedKeyUsages.add(extendedUsage);
    else failLocally(quoting`invalid usage key "${name}"`);
  }
  return { keyUsages: [...keyUsages], extendedKeyUsages: [...extendedKeyUsages] };
}

export function usageNames({ keyUsages, extendedKeyUsages }: Certificate): string[] {
  return [
    ...keyUsages.map((usage) => keyUsageNames[usage]),
    ...extendedKeyUsages.map((usage) => extendedUsageNames[usage]),
  ];
}
