import type { RecordedObject } from "./recorded-object.ts";
import * as record from "./recorded-object.ts";
import type { Place } from "./shop.ts";
import {
  blueprint,
  clusterConfig,
  clusterImport,
  configMap,
  dataParameter,
  deployExecution,
  manifestItem,
  originalOf,
} from "./shop.ts";

const job = "c0f9e5a0-0c7e-44f0-a2f3-9f6d0f3f2a55";
const before = "11f2a1be-6a3b-4a53-9a0e-2f5a5b1d7c11";

const atWork = (phase: string) => record.atWork(phase, job, before);

const importOf = (owner: string, key: string, name: string): record.RecordedData => {
  const scope = `Inst.${owner}`;
  const base = { name, key, jobID: job, owner: { kind: "Installation", name: owner } as const };
  return { ...base, context: scope, source: scope, sourceType: "import" };
};

interface Recorded {
  readonly name: string;
  readonly phase: "Progressing" | "Deleting";
  readonly data: Readonly<Record<string, string>>;
  readonly blueprint: string;
  readonly imports: Readonly<Record<string, unknown>>;
}

/** A root with one item; Installation, Execution and DeployItem are at work on the job. */
function root(place: Place, { name, phase, data, blueprint: text, imports }: Recorded): RecordedObject[] {
  const isDeleted = phase === "Deleting";
  const { namespace } = place;
  const objectName = `${name}-item-t6d2r`;
  const cache = { activeDIs: [{ specName: "item", objectName }], orphanedDIs: [] };
  const now = new Date().toISOString();
  return [
    record.userObject("Target", "cluster", { spec: { type: clusterImport.targetType, config: clusterConfig(place) } }),
    record.installation({
      name,
      isDeleted,
      spec: { blueprint: { inline: { filesystem: { "blueprint.yaml": text } } }, imports },
      status: { ...atWork(phase), executionRef: { name, namespace } },
    }),
    ...record.execution({
      ...originalOf(place),
      name,
      namespace,
      isDeleted,
      items: [
        {
          name: "item",
          objectName,
          isDeleted,
          manifests: [configMap(place, name, data)],
          status: {
            ...atWork(phase),
            jobIDGenerationTime: now,
            lastReconcileTime: now,
          },
        },
      ],
      // The caches are set for good when a job has written its sub-objects.
      status: { ...atWork(phase), deployItemCache: cache },
    }),
  ];
}

/** A root whose job was running when the original was stopped, and which imports data. */
export function recordBusy(place: Place): RecordedObject[] {
  const config = record.providerConfiguration({
    manifests: [configMap(place, "busy", { word: "{{ .imports.word }}" })],
  });
  const imports = [clusterImport, dataParameter("word", "string")];
  const text = blueprint({ imports, deployExecutions: deployExecution([manifestItem("item", config)]) });
  return [
    record.userObject("DataObject", "busy-word", { data: "hello" }),
    ...root(place, {
      name: "busy",
      phase: "Progressing",
      data: { word: "hello" },
      blueprint: text,
      imports: {
        data: [{ name: "word", dataRef: "busy-word" }],
        targets: [{ name: "cluster", target: "cluster" }],
      },
    }),
    record.dataObject(importOf("busy", "word", "35k4enshllbpywmqdvn5dbkgaxovdryc"), "hello"),
    record.target(importOf("busy", "cluster", "mcktjsl4l46rsxhs4ybzztjyreubjqny"), clusterConfig(place)),
  ];
}

/** A root that was being deleted when the original was stopped; its blueprint could not even be read any more. */
export function recordLeaving(place: Place): RecordedObject[] {
  return root(place, {
    name: "leaving",
    phase: "Deleting",
    data: { word: "bye" },
    blueprint: "kind: Blueprint",
    imports: { targets: [{ name: "cluster", target: "cluster" }] },
  });
}

/** A root that has succeeded, and whose dependent the original was about to trigger. */
export function recordPair(): RecordedObject[] {
  const exporting = {
    exports: [dataParameter("word", "string")],
    exportExecutions: [{ name: "default", type: "GoTemplate", template: "exports: { word: hello }\n" }],
  };
  const importing = { imports: [dataParameter("word", "string")] };
  const filesystem = (fields: Readonly<Record<string, unknown>>) => ({
    blueprint: { inline: { filesystem: { "blueprint.yaml": blueprint(fields) } } },
  });
  return [
    record.installation({
      name: "first",
      spec: { ...filesystem(exporting), exports: { data: [{ name: "word", dataRef: "word" }] } },
      status: { ...record.finished(job), dependentsToTrigger: [{ name: "second" }] },
    }),
    record.installation({
      name: "second",
      spec: { ...filesystem(importing), imports: { data: [{ name: "word", dataRef: "word" }] } },
      status: { ...record.finished(before), phase: "Failed" },
    }),
    record.dataObject(
      {
        name: "word",
        owner: { kind: "Installation", name: "first" },
        jobID: job,
        key: "word",
        source: "Inst.first",
        sourceType: "export",
      },
      "hello",
    ),
  ];
}
