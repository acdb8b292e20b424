// Keys, and signatures of components of tests by the library itself.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { createCertificate, decodePem, parseCertificate } from "@landscaper/x509";
import { signComponent, type TargetRepository } from "../src/index.ts";
import type { TestComponent } from "./index.ts";

/** PEM. */
export interface TestKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

export function createTestKey(): TestKey {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    publicKey: pair.publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** A key whose certificate is for signing code under the name "release". */
export interface TestSigner extends TestKey {
  /** PEM: its certificate, then that of the authority between it and the root. */
  readonly certificates: string;
  /** PEM of the root. */
  readonly authority: string;
}

/** What a signature is made with. */
export type SigningKey = Pick<TestSigner, "privateKey"> & Partial<TestSigner>;

/** Each call makes a root of its own. */
export function createTestSigner(): TestSigner {
  const root = certify("root");
  const middle = certify("middle", root);
  const leaf = certify("release", middle, false);
  const { publicKey, privateKey } = leaf.key;
  return { publicKey, privateKey, certificates: `${leaf.pem}${middle.pem}`, authority: root.pem };
}

interface Certified {
  readonly pem: string;
  readonly key: TestKey;
}

let serial = 0;

function certify(commonName: string, issuer?: Certified, isAuthority = true): Certified {
  const key = createTestKey();
  const block = issuer === undefined ? undefined : decodePem(issuer.pem);
  const certificate = block === undefined ? undefined : parseCertificate(block.der);
  serial += 1;
  const request = {
    subject: { commonName, organization: ["example"] },
    publicKey: createPublicKey(key.publicKey),
    serial: Buffer.from([1, serial]),
    notBefore: new Date("2026-01-01T00:00:00Z"),
    notAfter: new Date("2036-01-01T00:00:00Z"),
    isAuthority,
    ...(isAuthority ? {} : { extendedKeyUsages: ["codeSigning" as const] }),
  };
  const signedBy = { key: createPrivateKey((issuer?.key ?? key).privateKey), ...(certificate && { certificate }) };
  return { key, pem: createCertificate(request, signedBy) };
}

/** Adds the signature "release" to the component where it lies, with certificates if the key has some. Its content must lie there, too. */
export async function signTestComponent(
  component: Pick<TestComponent, "name" | "version">,
  target: TargetRepository,
  { privateKey, certificates }: SigningKey,
): Promise<void> {
  await signComponent(component, target, {
    name: "release",
    privateKey,
    ...(certificates === undefined ? {} : { certificates }),
    algorithm: "RSASSA-PKCS1-V1_5",
    normalisationAlgorithm: "jsonNormalisation/v3",
    hashAlgorithm: "SHA-256",
    overwrite: false,
    resolveArtifact: async () => await Promise.reject(new Error("content of tests is local")),
    signal: new AbortController().signal,
  });
}
