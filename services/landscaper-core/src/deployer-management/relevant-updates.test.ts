import { describe, expect, it } from "@jest/globals";
import type { DeployerRegistration, Environment, EnvironmentStatus, KubeObject } from "@landscaper/api";
import { environment, registration } from "../../test/deployer-management.ts";
import {
  changes,
  claimState,
  environmentsOfRollout,
  environmentState,
  identityState,
  rolloutState,
  selectorState,
  specState,
} from "./relevant-updates.ts";

const states = { claimState, environmentState, identityState, rolloutState, selectorState, specState };
/** Those of the states that the update changes. */
const changed = (object: KubeObject, previous: KubeObject, names: readonly (keyof typeof states)[]) =>
  names.filter((name) => changes(states[name])(object, previous));

const withMetadata = <T extends KubeObject>(object: T, metadata: Partial<T["metadata"]>): T => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});
const deletionTimestamp = "2026-06-01T00:00:00Z";

describe("an update of an Environment", () => {
  const deployers = [{ name: "a-env", registration: "a", phase: "Succeeded" as const }];
  const withStatus = (status: EnvironmentStatus): Environment => ({ ...environment("env"), status });
  const before = withStatus({ deployers, lastHeartbeatTime: "2026-06-01T00:00:00Z" });
  const phase = (phase: "Progressing" | "Failed") => withStatus({ deployers: [{ ...deployers[0]!, phase }] });
  it.each<readonly [string, Environment, readonly string[]]>([
    ["by a heartbeat", withStatus({ deployers, lastHeartbeatTime: "2026-06-01T00:01:00Z" }), []],
    ["by a deployer that makes progress, of which Installations tell", phase("Progressing"), []],
    ["by a deployer that has failed", phase("Failed"), ["environmentState"]],
    [
      "by other namespaces",
      withMetadata({ ...before, spec: { ...before.spec, namespaces: ["one"] } }, { generation: 2 }),
      ["claimState", "environmentState", "specState"],
    ],
    [
      "by the other notation of all namespaces",
      withMetadata({ ...before, spec: { ...before.spec, namespaces: ["*"] } }, { generation: 2 }),
      ["environmentState", "specState"],
    ],
    [
      "by its deletion",
      withMetadata(before, { deletionTimestamp }),
      ["environmentState", "identityState", "specState"],
    ],
    [
      "by another one of its name",
      withMetadata(before, { uid: "another" }),
      ["claimState", "environmentState", "identityState", "specState"],
    ],
  ])("%s", (_, next, want) => {
    expect(changed(next, before, ["claimState", "environmentState", "identityState", "specState"])).toEqual(want);
  });
});

describe("an update of a registration", () => {
  const before = registration("one");
  const withStatus = (status: NonNullable<DeployerRegistration["status"]>): DeployerRegistration => ({
    ...before,
    status,
  });
  const rollout = { updated: 0, environments: ["b"] };
  it.each<readonly [string, DeployerRegistration, readonly string[]]>([
    [
      "by other counts",
      withStatus({ environments: { total: 1, succeeded: 1, progressing: 0, failed: 0, deleting: 0 } }),
      [],
    ],
    ["by another choice of its rollout", withStatus({ rollout }), ["rolloutState"]],
    ["by its specification", withMetadata(before, { generation: 2 }), ["specState"]],
    [
      "by other types",
      withMetadata({ ...before, spec: { ...before.spec, types: ["test/two"] } }, { generation: 2 }),
      ["selectorState", "specState"],
    ],
    ["by its deletion", withMetadata(before, { deletionTimestamp }), ["identityState", "selectorState", "specState"]],
  ])("%s", (_, next, want) => {
    expect(changed(next, before, ["identityState", "rolloutState", "selectorState", "specState"])).toEqual(want);
  });

  it("wakes the Environments that its rollout chooses", () => {
    expect(environmentsOfRollout(withStatus({ rollout }))).toEqual([{ name: "b" }]);
    expect(environmentsOfRollout(before)).toEqual([]);
  });
});
