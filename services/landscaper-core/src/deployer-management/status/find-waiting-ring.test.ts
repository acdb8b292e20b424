import { describe, expect, it } from "@jest/globals";
import { observedDeployer } from "../../../test/observed-deployers.ts";
import { findWaitingRing } from "./find-waiting-ring.ts";
import type { ObservedDeployer } from "../observed-environment.ts";

const elapsedMs = 60_000;
const [longAgo, justNow] = [50_000, 51_000];

interface Options {
  readonly since?: number;
  readonly phase?: string;
}

/** A deployer of the type of its own name that waits for others. */
function waiting(name: string, types: readonly string[], { since = longAgo, phase = "Progressing" }: Options = {}) {
  const jobIDFinished = phase === "Progressing" ? "1" : "2";
  return observedDeployer({
    registration: name,
    provides: [name],
    waiting: types.map((type) => ({ type, sinceMs: since })),
    status: { phase, jobID: "2", jobIDFinished },
  });
}

describe("deployers that wait for each other", () => {
  it.each<[string, readonly ObservedDeployer[], string | undefined]>([
    ["two of them", [waiting("a", ["b"]), waiting("b", ["a"])], "a-env => b-env => a-env"],
    [
      "three, one beside them",
      [waiting("c", ["a"]), waiting("a", ["b"]), waiting("b", ["c"]), waiting("d", ["a"])],
      "a-env => b-env => c-env => a-env",
    ],
    ["one that waits for itself", [waiting("a", ["x", "a"])], "a-env => a-env"],
    ["none: a chain", [waiting("a", ["b"]), waiting("b", ["c"]), waiting("c", [])], undefined],
    ["none: a type that no registration serves", [waiting("a", ["helm"])], undefined],
    [
      "none: the items are on their way only",
      [waiting("a", ["b"], { since: justNow }), waiting("b", ["a"])],
      undefined,
    ],
    ["none: one of them works", [waiting("a", ["b"]), waiting("b", ["a"], { phase: "Succeeded" })], undefined],
    ["none: there are no deployers", [], undefined],
  ])("%s", (_, deployers, ring) => {
    const error = findWaitingRing(deployers, elapsedMs);
    expect(error?.message).toBe(
      ring === undefined ? undefined : `deployers wait for each other to deploy them: ${ring}`,
    );
    expect([error?.reason, error?.codes]).toEqual(
      ring === undefined ? [undefined, undefined] : ["DeployersWaitInRing", ["ERR_CYCLIC_DEPENDENCIES"]],
    );
  });
});
