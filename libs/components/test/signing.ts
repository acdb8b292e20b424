// Keys, and signatures of components of tests by the library itself.
import { generateKeyPairSync } from "node:crypto";
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

/** Adds the signature "release" to the component where it lies. Its content must lie there, too. */
export async function signTestComponent(
  component: Pick<TestComponent, "name" | "version">,
  target: TargetRepository,
  privateKey: string,
): Promise<void> {
  await signComponent(component, target, {
    name: "release",
    privateKey,
    algorithm: "RSASSA-PKCS1-V1_5",
    normalisationAlgorithm: "jsonNormalisation/v3",
    hashAlgorithm: "SHA-256",
    overwrite: false,
    resolveArtifact: async () => await Promise.reject(new Error("content of tests is local")),
    signal: new AbortController().signal,
  });
}
