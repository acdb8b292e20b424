import type { KeyObject } from "node:crypto";
import { createHash, generateKeyPairSync, sign, verify } from "node:crypto";
import { parseJson } from "@landscaper/json";
import { isRecord } from "../objects/json.ts";

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly id: string;
}

export type Claims = Readonly<Record<string, unknown>>;

export function createSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64url");
  return { privateKey, publicKey, id };
}

/** A compact ES256 token (RFC 7519). */
export function signJwt(key: SigningKey, claims: Claims): string {
  const content = `${encode({ alg: "ES256", kid: key.id, typ: "JWT" })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(content), { key: key.privateKey, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

/** The claims of a token that `key` has signed; undefined for anything else. Expiry is the caller's matter. */
export function verifyJwt(key: SigningKey, token: string): Claims | undefined {
  const parts = token.split(".");
  const [header, payload, signature] = parts;
  if (parts.length !== 3 || header === undefined || payload === undefined || signature === undefined) return undefined;
  const content = Buffer.from(`${header}.${payload}`);
  const bytes = Buffer.from(signature, "base64url");
  if (!verify("sha256", content, { key: key.publicKey, dsaEncoding: "ieee-p1363" }, bytes)) return undefined;
  return parseClaims(payload);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function parseClaims(payload: string): Claims | undefined {
  try {
    const claims: unknown = parseJson(Buffer.from(payload, "base64url").toString());
    return isRecord(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
