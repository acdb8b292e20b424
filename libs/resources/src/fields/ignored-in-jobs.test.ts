// Ignored fields in writes of all strategies, on an embedded cluster.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, updateStrategies, type UpdateStrategy } from "@landscaper/api";
import { confirmInventory } from "../manifests/inventory.ts";
import type { ManagedResource } from "../manifests/manifest.ts";
import { configMap, serverSide, TargetFixture } from "../../test/target-fixture.ts";
import type { IgnoreRule } from "./ignore-rules.ts";

const ignore: readonly IgnoreRule[] = [{ kind: "ConfigMap", jsonPointers: ["/data/level"] }];

let target: TargetFixture;
beforeAll(async () => {
  target = await TargetFixture.start();
});
afterAll(() => target.stop());

let count = 0;
let name = "";
let inventory: readonly ManagedResource[];
beforeEach(() => {
  name = `map-${++count}`;
  inventory = [];
});

async function apply(
  data: Record<string, string>,
  { strategy, rules = ignore }: { readonly strategy: UpdateStrategy; readonly rules?: readonly IgnoreRule[] },
): Promise<Record<string, string> | undefined> {
  const manifests = [{ policy: "manage", manifest: configMap(name, data) }] as const;
  const { applied, failures } = await target.apply("item", manifests, {
    strategy,
    serverSide,
    inventory,
    ignore: rules,
  });
  expect(failures).toEqual([]);
  inventory = confirmInventory(inventory, applied);
  return await dataNow();
}

async function dataNow(): Promise<Record<string, string> | undefined> {
  return (await target.find(name))?.data;
}

/** Another client that applies on the server. */
async function applyAsTuner(level: string, force: boolean): Promise<void> {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "n" }, data: { level } };
  const patch = { type: "apply", fieldManager: "tuner", force, body } as const;
  await target.client.patch(kubeResources.configMap, { namespace: "n", name }, patch);
}

describe.each(updateStrategies)("an ignored field, with strategy %s", (strategy) => {
  it("keeps the value of another client, which can change it again after a job", async () => {
    await apply({ level: "info", other: "1" }, { strategy });
    await applyAsTuner("debug", true);
    expect(await apply({ level: "info", other: "2" }, { strategy })).toMatchObject({ level: "debug" });
    await applyAsTuner("trace", false);
    expect(await dataNow()).toMatchObject({ level: "trace" });
  });

  it("stays if it leaves the manifest", async () => {
    await apply({ level: "info", other: "1" }, { strategy, rules: [] });
    expect(await apply({ other: "1" }, { strategy })).toEqual({ level: "info", other: "1" });
  });

  it("has the value of the manifest if the object is created, and if no rule ignores it any more", async () => {
    expect(await apply({ level: "info" }, { strategy })).toEqual({ level: "info" });
    expect(await apply({ level: "warn" }, { strategy })).toEqual({ level: "info" });
    // "merge" never replaces a value.
    const level = strategy === "merge" ? "info" : "warn";
    expect(await apply({ level: "warn" }, { strategy, rules: [] })).toEqual({ level });
  });

  it("may be the whole object", async () => {
    const rules = [{ jsonPointers: [""] }];
    await apply({ level: "info" }, { strategy, rules });
    expect(await apply({ level: "warn", other: "1" }, { strategy, rules })).toEqual({ level: "info" });
  });
});
