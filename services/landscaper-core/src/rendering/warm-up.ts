import type { DataObject, Installation } from "@landscaper/api";
import { createRenderCaches } from "@landscaper/blueprint";
import { pack } from "@landscaper/threads";
import { performRenderTask } from "./perform-render-task.ts";
import { noPins, type JobResults } from "./render-task.ts";

const metadata = { name: "warm-up", namespace: "warm-up", uid: "00000000-0000-0000-0000-000000000000" };

const item = {
  type: "landscaper.gardener.cloud/mock",
  config: { apiVersion: "mock.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" },
};
const quoted = JSON.stringify(JSON.stringify(item));
const blueprint = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Blueprint",
  imports: [{ name: "value", type: "data", schema: { type: "string", minLength: 1 } }],
  deployExecutions: [
    {
      name: "go",
      type: "GoTemplate",
      template: `deployItems: [{{ merge (dict "name" (printf "go-%s" .imports.value)) (${quoted} | fromJson) | toJson }}]\n`,
    },
    { name: "spiff", type: "Spiff", template: { deployItems: [{ ...item, name: '(( "spiff-" imports.value ))' }] } },
  ],
};

const installation: Installation = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Installation",
  metadata,
  spec: {
    blueprint: { inline: { filesystem: { "blueprint.yaml": blueprint } } },
    imports: { data: [{ name: "value", dataRef: "value" }] },
  },
  status: { jobID: "warm-up" },
};

const dataObject: DataObject = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "DataObject",
  metadata: { ...metadata, name: "value" },
  data: "x",
};

/** Renders a blueprint with both template languages and a schema: most of what the first rendering of a thread pays for once. */
export async function warmUp(): Promise<JobResults["init"]> {
  const task = {
    type: "init" as const,
    execution: undefined,
    fieldValidation: "Warn" as const,
    job: {
      installation,
      imports: { objects: { "DataObject/value": pack(dataObject) }, parents: {}, stamp: "" },
      options: {},
      entropy: { seed: new Uint8Array(32), keys: {} },
      answers: [],
      nowMs: 0,
      components: { selection: undefined, supplies: [] },
      pins: noPins,
    },
  };
  const result = await performRenderTask(task, {
    caches: createRenderCaches(),
    // The blueprint has no state and asks no cluster.
    ask: async () => await Promise.reject(new TypeError("warming up asks nothing")),
    note: () => undefined,
  });
  // The result of a task of the type "init"; without a component nothing is lacking.
  return result as JobResults["init"];
}
