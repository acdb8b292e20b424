import { isSealedFor, sealingKeyOf, unsealTokens } from "@landscaper/deployer";
import type { Unseal } from "@landscaper/helm-deployer-lib";

/** Reads the private key of the host. */
export type ReadPrivateKey = (signal: AbortSignal) => Promise<string | undefined>;

/** Opens tokens with the key of the host, which is read when it is needed, and again when a text is sealed for another one. */
export function createUnsealer(readPrivateKey: ReadPrivateKey): Unseal {
  let known: string | undefined;
  const isKnownFor = (text: string): boolean => {
    const publicKey = sealingKeyOf(known);
    return publicKey !== undefined && isSealedFor(text, publicKey);
  };
  return async (text, signal) => {
    if (!isKnownFor(text)) known = await readPrivateKey(signal);
    return known === undefined ? { text, secrets: [] } : unsealTokens(text, known);
  };
}
