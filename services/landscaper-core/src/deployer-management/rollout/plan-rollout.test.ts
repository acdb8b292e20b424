import { describe, expect, it } from "@jest/globals";
import type { DeployerRegistration, DeployerRollout, RolloutStatus } from "@landscaper/api";
import { registration } from "../../../test/deployer-management.ts";
import { planRollout, type RolloutState } from "./plan-rollout.ts";

/** Environments by their names with the state of the deployer there: "old", "new" (with a phase other than Succeeded behind it), "none". */
function states(words: Readonly<Record<string, string>>): RolloutState[] {
  return Object.entries(words).map(([environment, word]) => {
    const [version, phase = "Succeeded"] = word.split(" ");
    return {
      environment,
      phase: version === "none" ? undefined : (phase as RolloutState["phase"]),
      isUpdated: version === "new",
      isRefused: version === "refused",
      isHeld: version === "suspended",
    };
  });
}

function withRollout(rollout: DeployerRollout, chosen?: readonly string[], generation = 2): DeployerRegistration {
  const object = registration("r");
  return {
    ...object,
    metadata: { ...object.metadata, generation: 2 },
    spec: { ...object.spec, rollout },
    status: {
      observedGeneration: generation,
      ...(chosen === undefined ? {} : { rollout: { updated: 0, environments: [...chosen] } }),
    },
  };
}

describe("the rollout of a registration", () => {
  interface Case {
    readonly rollout?: DeployerRollout;
    readonly words: Record<string, string>;
    readonly chosen?: readonly string[];
  }
  it.each<[string, Case, RolloutStatus]>([
    [
      "begins with one Environment, by name",
      { words: { b: "old", a: "old" } },
      { updated: 0, environments: ["a"], waitsFor: "Environments in work: a" },
    ],
    [
      "stays with those that it has chosen",
      { words: { a: "old", b: "old" }, chosen: ["b"] },
      { updated: 0, environments: ["b"], waitsFor: "Environments in work: b" },
    ],
    [
      "waits while a changed deployer is in work",
      { words: { a: "new Progressing", b: "old" }, chosen: ["a"] },
      { updated: 1, environments: ["a"], waitsFor: "Environments in work: a" },
    ],
    ["goes on after a success", { words: { a: "new", b: "old" }, chosen: ["a"] }, { updated: 1, environments: ["b"] }],
    [
      "is over when all have succeeded",
      { words: { a: "new", b: "new" }, chosen: ["b"] },
      { updated: 2, environments: [] },
    ],
    [
      "has as many in work as it may",
      { rollout: { maxUnavailable: 3 }, words: { a: "new Progressing", b: "old", c: "none", d: "old" }, chosen: ["a"] },
      { updated: 1, environments: ["a", "b", "c"], waitsFor: "Environments in work: a, b, c" },
    ],
    [
      "goes to its canaries first",
      { rollout: { maxUnavailable: 2, canary: ["c"] }, words: { a: "old", b: "old", c: "old" } },
      { updated: 0, environments: ["c"], waitsFor: "canary Environments: c" },
    ],
    [
      "goes to the others when all canaries have succeeded",
      { rollout: { maxUnavailable: 2, canary: ["c"] }, words: { a: "old", b: "old", c: "new" }, chosen: ["c"] },
      { updated: 1, environments: ["a", "b"] },
    ],
    [
      "has no more canaries in work than it may",
      { rollout: { canary: ["b", "c"] }, words: { a: "old", b: "old", c: "old" } },
      { updated: 0, environments: ["b"], waitsFor: "canary Environments: b, c" },
    ],
    [
      "waits for a canary that does not exist",
      { rollout: { canary: ["x"] }, words: { a: "old" } },
      { updated: 0, environments: [], waitsFor: "canary Environments that do not exist: x" },
    ],
    [
      "waits for a canary that is suspended",
      { rollout: { canary: ["x"] }, words: { a: "old", x: "suspended" } },
      { updated: 0, environments: [], waitsFor: "canary Environments that are suspended or wait for their agent: x" },
    ],
    ["leaves out what is suspended", { words: { a: "suspended", b: "old" } }, { updated: 0, environments: ["b"] }],
    [
      "pauses after a failure",
      { rollout: { maxUnavailable: 2 }, words: { a: "new Failed", b: "old" }, chosen: ["a"] },
      { updated: 1, environments: ["a"], waitsFor: "the Environments in which the change has failed: a" },
    ],
    [
      "does not pause for what has failed before the change",
      { words: { a: "old Failed", b: "old" } },
      { updated: 0, environments: ["a"], waitsFor: "Environments in work: a" },
    ],
    [
      "pauses for what cannot be made",
      { rollout: { maxUnavailable: 2 }, words: { a: "refused", b: "old" }, chosen: ["a"] },
      { updated: 0, environments: ["a"], waitsFor: "the Environments in which the change has failed: a" },
    ],
    [
      "goes on after a failure where it is told so, and stays with what has failed",
      {
        rollout: { onFailure: "Continue" },
        words: { a: "new Failed", b: "refused", c: "old", d: "old" },
        chosen: ["a", "b"],
      },
      { updated: 1, environments: ["a", "b", "c"], waitsFor: "Environments in work: a, b, c" },
    ],
    [
      "does not go on from a canary that has failed",
      { rollout: { onFailure: "Continue", canary: ["a"] }, words: { a: "new Failed", b: "old" }, chosen: ["a"] },
      { updated: 1, environments: ["a"], waitsFor: "canary Environments: a" },
    ],
  ])("%s", (_, { rollout = {}, words, chosen }, expected) => {
    expect(planRollout(withRollout(rollout, chosen), states(words))).toEqual(expected);
  });

  it("chooses anew when the registration has changed", () => {
    const plan = planRollout(withRollout({}, ["b"], 1), states({ a: "old", b: "old" }));
    expect(plan.environments).toEqual(["a"]);
  });

  it("names a few of many Environments", () => {
    const words = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`e${index}`, "old"]));
    expect(planRollout(withRollout({ maxUnavailable: 7 }), states(words)).waitsFor).toBe(
      "Environments in work: e0, e1, e2, e3, e4 and 2 more",
    );
  });
});
