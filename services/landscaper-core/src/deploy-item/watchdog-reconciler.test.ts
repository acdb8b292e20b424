import { expect, it } from "@jest/globals";
import { apiVersion, resources } from "@landscaper/api";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore({ timeouts: { pickupMs: 1000, progressingMs: 0, graceMs: 0 } });
let count = 0;
const missing = ", probably because the referenced Target does not exist";
const selector =
  '; install a deployer for type "test/nobody" whose targetSelector accepts the Target, or correct the type of the item';

it.each([
  ["cluster", selector],
  ["absent", missing],
  ["watchdog-2/cluster", missing],
  ["../../watchdog-3/targets/cluster", missing],
])("ends an item that no deployer takes, with the Target %s", async (target, hint) => {
  const namespace = await setUp.namespace(`watchdog-${++count}`);
  await namespace.create(resources.target, {
    apiVersion,
    kind: "Target",
    metadata: { name: "cluster" },
    spec: { type: "test/target", config: {} },
  });
  const spec = { type: "test/nobody", target: { name: target, namespace: namespace.name } };
  const item = await namespace.create(resources.deployItem, {
    apiVersion,
    kind: "DeployItem",
    metadata: { name: "item" },
    spec,
  });
  const times = { jobIDGenerationTime: "2026-01-01T00:00:00Z", workedSeconds: 5 };
  const status = { observedGeneration: 0, jobID: "job", ...times };
  await namespace.client.updateStatus(resources.deployItem, { ...item, status });
  const failed = await namespace.until(resources.deployItem, "item", (found) => found?.status?.phase === "Failed");
  expect(failed?.status).not.toHaveProperty("workedSeconds");
  expect(failed?.status?.lastError?.message).toBe(`no deployer has reconciled this deployitem within 1 seconds${hint}`);
});
