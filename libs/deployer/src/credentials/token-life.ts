import { parseJson } from "@landscaper/json";
export interface TokenLife {
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** When a ServiceAccount token was issued and ends; undefined for tokens that do not say. Nothing is verified. */
export function readTokenLife(token: string | undefined): TokenLife | undefined {
  const payload = token?.split(".")[1];
  if (payload === undefined) return undefined;
  let claims: unknown;
  try {
    claims = parseJson(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (typeof claims !== "object" || claims === null || !("iat" in claims) || !("exp" in claims)) return undefined;
  const { iat, exp } = claims;
  if (typeof iat !== "number" || typeof exp !== "number") return undefined;
  return { issuedAtMs: iat * 1000, expiresAtMs: exp * 1000 };
}

function accountUidOf(token: string): string | undefined {
  try {
    const claims: unknown = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    const account: unknown = Reflect.get(Object(Reflect.get(Object(claims), "kubernetes.io")), "serviceaccount");
    const uid: unknown = Reflect.get(Object(account), "uid");
    return typeof uid === "string" ? uid : undefined;
  } catch {
    return undefined;
  }
}

export type TokenDecision =
  | { readonly kind: "request" }
  /** Until then (ms since the epoch). */
  | { readonly kind: "keep"; readonly token: string; readonly untilMs: number };

/**
 * Whether an account needs another token: when it has none that says when it ends, when it is of an account that does not exist any
 * more, and when half of its life is over. API servers may give shorter lives than asked for.
 */
export function decideToken(token: string | undefined, accountUid: string, nowMs: number): TokenDecision {
  const life = readTokenLife(token);
  if (token === undefined || life === undefined || accountUidOf(token) !== accountUid) return { kind: "request" };
  const untilMs = (life.issuedAtMs + life.expiresAtMs) / 2;
  return nowMs < untilMs ? { kind: "keep", token, untilMs } : { kind: "request" };
}
