import { describe, expect, it } from "@jest/globals";
import { annotations } from "@landscaper/api";
import type { TokenLife } from "@landscaper/deployer";
import { isRotationDue } from "./decide-rotation.ts";
import { storedTargetSync, type TestTargetSync } from "../../test/target-syncs.ts";

const nowMs = Date.parse("2026-06-01T00:00:00Z");
const dayMs = 86_400_000;
const daysAgo = (days: number) => ({ lastTokenRotationTime: new Date(nowMs - days * dayMs).toISOString() });
const enabled = { tokenRotation: { enabled: true } };
const life = (days: number, ago: number): TokenLife => ({
  issuedAtMs: nowMs - ago * dayMs,
  expiresAtMs: nowMs + (days - ago) * dayMs,
});

describe("token rotation (core.md §4.52 fixed)", () => {
  it.each<[name: string, fields: TestTargetSync, life: TokenLife | undefined, isDue: boolean]>([
    [
      "not when it is off",
      { status: daysAgo(80), annotations: { [annotations.rotateToken]: "true" } },
      undefined,
      false,
    ],
    ["not when it is disabled", { tokenRotation: { enabled: false }, status: daysAgo(80) }, undefined, false],
    ["when the token was never renewed", enabled, undefined, true],
    ["not on the same day", { ...enabled, status: daysAgo(0) }, undefined, false],
    ["not in the first 60 days", { ...enabled, status: daysAgo(59.9) }, life(90, 59.9), false],
    ["after 60 days", { ...enabled, status: daysAgo(60.1) }, life(90, 60.1), true],
    ["on demand", { ...enabled, status: daysAgo(1), annotations: { [annotations.rotateToken]: "" } }, undefined, true],
    [
      "when the server gave a shorter life and two thirds are over",
      { ...enabled, status: daysAgo(7) },
      life(10, 7),
      true,
    ],
    ["not before", { ...enabled, status: daysAgo(6) }, life(10, 6), false],
  ])("%s", (...[, fields, tokenLife, isDue]) => {
    expect(isRotationDue(storedTargetSync(fields), tokenLife, nowMs)).toBe(isDue);
  });
});
