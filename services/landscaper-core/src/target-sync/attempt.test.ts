import { describe, expect, it } from "@jest/globals";
import { annotations, type KubeObject } from "@landscaper/api";
import { fingerprintOf, nextAttempt, shareOf, type FingerprintParts } from "./attempt.ts";
import { storedTargetSync } from "../../test/target-syncs.ts";

const made = (name: string, resourceVersion: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, resourceVersion },
});
const parts: FingerprintParts = {
  targetSync: storedTargetSync(),
  siblings: [],
  secretVersion: "7",
  made: [made("a", "1"), made("b", "2")],
};

describe("what makes a TargetSync look again", () => {
  it.each<[name: string, changed: Partial<FingerprintParts>]>([
    ["its spec", { targetSync: storedTargetSync({}, { generation: 2 }) }],
    ["another object of its name", { targetSync: storedTargetSync({}, { uid: "other" }) }],
    [
      "the annotation rotate-token",
      { targetSync: storedTargetSync({ annotations: { [annotations.rotateToken]: "" } }) },
    ],
    ["another TargetSync", { siblings: [storedTargetSync({ name: "other" })] }],
    ["the Secret with the kubeconfig", { secretVersion: "8" }],
    ["the end of that Secret", { secretVersion: undefined }],
    ["a change of what was made", { made: [made("a", "1"), made("b", "3")] }],
    ["the end of something that was made", { made: [made("a", "1")] }],
  ])("%s", (_name, changed) => {
    expect(fingerprintOf({ ...parts, ...changed })).not.toBe(fingerprintOf(parts));
  });

  it("is neither its own status nor the order of the cache", () => {
    const targetSync = storedTargetSync({ status: { lastErrors: ["x"] } }, { resourceVersion: "2" });
    expect(fingerprintOf({ ...parts, targetSync, made: parts.made.toReversed() })).toBe(fingerprintOf(parts));
  });
});

describe("the time of the next try (core.md §4.53 fixed)", () => {
  const time = { elapsedMs: 1_000, random: () => 1 };
  const next = (failures: number, hasFailed: boolean) =>
    nextAttempt({ fingerprint: "", failures, nextTryMs: 0 }, { fingerprint: "f", hasFailed }, time);

  it("is in five minutes when all went well", () => {
    expect(next(3, false)).toEqual({ fingerprint: "f", failures: 0, nextTryMs: 301_000 });
    expect(nextAttempt(undefined, { fingerprint: "f", hasFailed: false }, time).nextTryMs).toBe(301_000);
  });

  it("moves away with every failure, up to the interval", () => {
    const delays = [0, 1, 2, 3, 8, 9, 100].map((failures) => next(failures, true).nextTryMs - 1_000);
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000]);
    expect(nextAttempt(undefined, { fingerprint: "f", hasFailed: true }, time).failures).toBe(1);
  });
});

describe("the share of a try", () => {
  const attempt = { fingerprint: "", nextTryMs: 0 };
  it.each([
    ["counts for the namespace alone after a success", { ...attempt, failures: 0 }, undefined],
    ["counts among the sources that have not answered after a failure", { ...attempt, failures: 1 }, "shared"],
    ["counts among them before the first try", undefined, "shared"],
  ])("%s", (_, previous, want) => {
    const { namespace, server } = shareOf(storedTargetSync(), previous);
    const other = shareOf(storedTargetSync({}, { namespace: "other" }), undefined);
    expect([namespace, server === undefined ? undefined : server === other.server && "shared"]).toEqual(["ns", want]);
  });
});
