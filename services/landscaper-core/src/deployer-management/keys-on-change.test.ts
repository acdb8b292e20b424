import { describe, expect, it } from "@jest/globals";
import type { Environment, EnvironmentStatus } from "@landscaper/api";
import { environment, registration } from "../../test/deployer-management.ts";
import { allKeysOnChange, environmentsOnChange, stateOfEnvironment } from "./keys-on-change.ts";

const keys = [{ namespace: undefined, name: "a" }];

describe("an event of an Environment", () => {
  const deployers = [{ name: "a-env", registration: "a", phase: "Succeeded" as const }];
  const first: EnvironmentStatus = { deployers, lastHeartbeatTime: "2026-06-01T00:00:00Z" };
  const withStatus = (status: EnvironmentStatus): Environment => ({ ...environment("env"), status });
  it.each([
    ["of a heartbeat wakes no registration", { ...first, lastHeartbeatTime: "2026-06-01T00:01:00Z" }, []],
    ["of a deployer that has failed wakes all", { deployers: [{ ...deployers[0], phase: "Failed" }] }, keys],
  ])("%s", (_, next, want) => {
    const map = allKeysOnChange({ list: () => [registration("a")] }, (object) =>
      stateOfEnvironment(object as Environment),
    );
    expect(map(withStatus(first))).toEqual(keys);
    expect(map(withStatus(next as EnvironmentStatus))).toEqual(want);
  });
});

describe("an event of a registration", () => {
  const map = environmentsOnChange({ list: () => [environment("a")] });
  const one = registration("one");

  it("wakes Environments when its specification changes, and not with its status", () => {
    const changed = { ...one, metadata: { ...one.metadata, generation: 2 } };
    const counted = {
      ...changed,
      status: { environments: { total: 1, succeeded: 1, progressing: 0, failed: 0, deleting: 0 } },
    };
    expect([map(one), map(changed), map(counted)]).toEqual([keys, keys, []]);
  });

  it("wakes the Environments that its rollout chooses", () => {
    const chosen = { ...one, status: { rollout: { updated: 0, environments: ["b"] } } };
    expect([map(one), map(chosen), map(chosen)]).toEqual([keys, [{ name: "b" }], []]);
  });
});
