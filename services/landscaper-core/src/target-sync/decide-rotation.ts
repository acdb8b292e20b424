import { annotations, type TargetSync } from "@landscaper/api";
import type { TokenLife } from "@landscaper/deployer";
import { annotationOf } from "../object-reading.ts";

/** Life of a token that we ask for (core.md §1.5 D19). */
export const tokenLifeSeconds = 90 * 86_400;
const rotationMs = 60 * 86_400_000;

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
