import { annotations, type TargetSync } from "@landscaper/api";
import { annotationOf } from "../object-reading.ts";

/** Life of a token that we ask for (core.md §1.5 D19). */
export const tokenLifeSeconds = 90 * 86_400;
const rotationMs = 60 * 86_400_000;

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
    claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (typeof claims !== "object" || claims === null || !("iat" in claims) || !("exp" in claims)) return undefined;
  const { iat, exp } = claims;
  if (typeof iat !== "number" || typeof exp !== "number") return undefined;
  return { issuedAtMs: iat * 1000, expiresAtMs: exp * 1000 };
}

/**
 * Whether to renew the token: on demand, when it never was, and after 60 days; also when less than a third of its life is left,
 * because API servers may give shorter lives than asked for.
 */
export function isRotationDue(targetSync: TargetSync, life: TokenLife | undefined, nowMs: number): boolean {
  if (targetSync.spec.tokenRotation?.enabled !== true) return false;
  if (annotationOf(targetSync, annotations.rotateToken) !== undefined) return true;
  const { lastTokenRotationTime } = targetSync.status ?? {};
  if (lastTokenRotationTime === undefined) return true;
  if (nowMs - Date.parse(lastTokenRotationTime) > rotationMs) return true;
  return life !== undefined && life.expiresAtMs - nowMs < (life.expiresAtMs - life.issuedAtMs) / 3;
}
