import type { KeyObject } from "node:crypto";
import { type CallContext, FunctionError, type FunctionMap, define } from "@landscaper/golang";
import { decodePem, type KeyKind, keyWorkMs, parsePrivateKey, X509Error } from "@landscaper/x509";

/** What a millisecond of work counts in steps of the budget. */
const stepsPerMs = 2500;

const kinds: Readonly<Record<string, KeyKind>> = {
  "": { type: "rsa", bits: 4096 },
  rsa: { type: "rsa", bits: 4096 },
  dsa: { type: "dsa" },
  ecdsa: { type: "ecdsa", curve: "P-256" },
  ed25519: { type: "ed25519" },
};

/** Counts work in the budget, before it begins. */
export function spendMs(milliseconds: number, context: CallContext): void {
  context.spend(Math.ceil(milliseconds * stepsPerMs));
}

/** A new private key; the budget is charged for it first. */
export function newKey(kind: KeyKind, context: CallContext): string {
  spendMs(keyWorkMs(kind), context);
  return context.createKey(kind);
}

/** The key in a PEM text. Throws FunctionError with sprig's messages. */
export function readPrivateKey(pem: string): KeyObject {
  const block = decodePem(pem);
  if (block === undefined) throw new FunctionError("no PEM data in input");
  try {
    const key = parsePrivateKey(block);
    if (key !== undefined) return key;
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
    throw new FunctionError(`${malformedTexts[block.type] ?? "reading the key"}: ${error.message}`);
  }
  throw new FunctionError(
    block.type.endsWith("PRIVATE KEY")
      ? `invalid private key type ${block.type}`
      : `no private key data in PEM block of type ${block.type}`,
  );
}

const malformedTexts: Readonly<Record<string, string>> = {
  "RSA PRIVATE KEY": "parsing RSA private key from PEM",
  "EC PRIVATE KEY": "parsing EC private key from PEM",
  "DSA PRIVATE KEY": "parsing DSA private key from PEM",
  "PRIVATE KEY": "decoding PEM as PKCS#8",
};

export const privateKeyFunctions: FunctionMap = {
  genPrivateKey: define(["string"], ([type], context) => {
    const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    return kind === undefined ? `Unknown type ${type}` : newKey(kind, context);
  }),
};
