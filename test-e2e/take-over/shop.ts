import { stringify } from "yaml";
import type { OriginalVersion, RecordedItem, RecordedObject } from "./recorded-object.ts";
import * as record from "./recorded-object.ts";

export interface Place {
  /** On the hub. */
  readonly namespace: string;
  /** On the target. */
  readonly targetNamespace: string;
  readonly kubeconfig: string;
  /** Version of the original; v0.153.0 by default. */
  readonly original?: OriginalVersion;
}

export const originalOf = ({ original }: Place) => (original === undefined ? {} : { original });
export const clusterConfig = ({ kubeconfig }: Place) => ({ kubeconfig });

export const clusterImport = {
  name: "cluster",
  type: "target",
  targetType: `${record.group}/kubernetes-cluster`,
};
export const dataParameter = (name: string, type: string) => ({ name, type: "data", schema: { type } });

export function blueprint(fields: Readonly<Record<string, unknown>>): string {
  // Blueprints of the original's documents carry this stray key.
  const jsonSchema = "https://json-schema.org/draft/2019-09/schema";
  return stringify({ apiVersion: record.apiVersion, kind: "Blueprint", jsonSchema, ...fields });
}

/** Items as they stand; `fields` of them and of the ConfigMaps may be template expressions. */
export function deployExecution(items: readonly unknown[]): unknown[] {
  return [{ name: "default", type: "GoTemplate", template: stringify({ deployItems: items }) }];
}

export const configMap = (place: Place, name: string, data: Readonly<Record<string, string>>): RecordedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  cluster: "target",
  metadata: { name, namespace: place.targetNamespace },
  data,
});

export const manifestItem = (name: string, config: unknown, fields: Readonly<Record<string, unknown>> = {}) => ({
  name,
  type: `${record.group}/kubernetes-manifest`,
  target: { import: "cluster" },
  config,
  ...fields,
});

const job = "0b0a0c3e-9f0e-4ed1-8c52-6a6a55d3a9a1";
/** The one after it, if the original was at work. */
const nextJob = "5e8f51f4-29f4-4f5c-8f6a-0f3f5f2d7b60";

/**
 * "half": the original was stopped in the middle of the next job. "store" has done it, "front" has seen so and is in Init: its
 * exports are withdrawn, and its Execution has not been handed the job.
 * "marked": as "done", and nobody has removed a mark of the original's.
 */
export type Stage = "done" | "half" | "marked";

const jobOf = (stage: Stage): string => (stage === "half" ? nextJob : job);
const store = "store-x7k2p";
const front = "front-9qm4z";
const address = "store.example:8080";
const url = "http://store.example:8080/";

function exportOf({ targetNamespace }: Place, key: string, name: string) {
  const fromResource = { apiVersion: "v1", kind: "ConfigMap", name, namespace: targetNamespace };
  return { exports: { exports: [{ key, jsonPath: `.data.${key}`, fromResource }] } };
}

const exportExecutions = (template: string) => [{ name: "default", type: "GoTemplate", template }];

function storeBlueprint(place: Place): string {
  const configMaps = [configMap(place, "store", { address, size: "{{ .imports.size }}" })];
  const config = record.providerConfiguration({ manifests: configMaps, config: exportOf(place, "address", "store") });
  return blueprint({
    imports: [clusterImport, dataParameter("size", "integer")],
    exports: [dataParameter("address", "string")],
    deployExecutions: deployExecution([manifestItem("item", config)]),
    exportExecutions: exportExecutions("exports: { address: {{ quote .values.deployitems.item.address }} }\n"),
  });
}

function frontBlueprint(place: Place): string {
  const data = { greeting: "{{ .imports.greeting }}", url: "http://{{ .imports.address }}/" };
  const config = record.providerConfiguration({
    manifests: [configMap(place, "front", data)],
    config: exportOf(place, "url", "front"),
  });
  return blueprint({
    imports: [clusterImport, dataParameter("address", "string"), dataParameter("greeting", "string")],
    exports: [dataParameter("url", "string")],
    deployExecutions: deployExecution([manifestItem("item", config)]),
    exportExecutions: exportExecutions("exports: { url: {{ quote .values.deployitems.item.url }} }\n"),
  });
}

interface Sub {
  readonly template: string;
  readonly blueprint: string;
  readonly imports: Readonly<Record<string, unknown>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

const subs = (place: Place): readonly Sub[] => [
  {
    template: "store",
    blueprint: storeBlueprint(place),
    imports: { data: [{ name: "size", dataRef: "size" }], targets: [{ name: "cluster", target: "cluster" }] },
    exports: { data: [{ name: "address", dataRef: "address" }] },
  },
  {
    template: "front",
    blueprint: frontBlueprint(place),
    imports: {
      data: [
        { name: "address", dataRef: "address" },
        { name: "greeting", dataRef: "greeting" },
      ],
      targets: [{ name: "cluster", target: "cluster" }],
    },
    exports: { data: [{ name: "url", dataRef: "url" }] },
  },
];

function rootBlueprint(place: Place): string {
  return blueprint({
    imports: [clusterImport, dataParameter("greeting", "string"), dataParameter("size", "integer")],
    exports: [dataParameter("url", "string")],
    subinstallations: subs(place).map(({ template, imports, exports, ...sub }) => ({
      apiVersion: record.apiVersion,
      kind: "InstallationTemplate",
      name: template,
      blueprint: { filesystem: { "blueprint.yaml": sub.blueprint } },
      imports,
      exports,
    })),
    exportExecutions: exportExecutions("exports: { url: {{ quote .values.dataobjects.url }} }\n"),
  });
}

interface RecordedSub {
  readonly stage: Stage;
  readonly objectName: string;
  readonly item: RecordedItem;
  readonly status: Readonly<Record<string, unknown>>;
}

function sub(place: Place, { stage, objectName, item, status }: RecordedSub): RecordedObject[] {
  const found = subs(place).find(({ template }) => objectName.startsWith(`${template}-`));
  if (found === undefined) throw new Error(`no template of ${objectName}`);
  const { template, imports, exports, blueprint: text } = found;
  return [
    record.installation({
      name: objectName,
      parent: "shop",
      template,
      isUnmarked: template === "front" && stage !== "marked",
      spec: { blueprint: { inline: { filesystem: { "blueprint.yaml": text } } }, imports, exports },
      status: { ...status, executionRef: { name: objectName, namespace: place.namespace } },
    }),
    ...record.execution({
      name: objectName,
      namespace: place.namespace,
      ...originalOf(place),
      // The copy in the scope of the root.
      targetName: "2bf2rar56vhps6esz4cft4u27hzwbebd",
      items: [item],
      status: {
        // Both have done the same jobs.
        ...item.status,
        observedGeneration: undefined,
        exportRef: { name: executionExports[objectName], namespace: place.namespace },
      },
    }),
  ];
}

/** Base32 of the SHA-1 of "Exec.NAME/". */
const executionExports: Readonly<Record<string, string>> = {
  [store]: "qkh2uzj5ijwtdquj25qmmoguy2guammc",
  [front]: "nkpxj37ye2sfipo6nz24kgnwnfilgvrc",
};

function item(place: Place, recorded: Omit<RecordedItem, "name">): RecordedItem {
  const exportRef = { name: `${recorded.objectName}-export`, namespace: place.namespace };
  return { name: "item", ...recorded, status: { ...recorded.status, exportRef } };
}

interface Copy {
  readonly of: string;
  readonly key: string;
  readonly name: string;
}

/** Names are the base32 of the SHA-1 of "Inst.OWNER/KEY". */
const copies: readonly Copy[] = [
  { of: "shop", key: "greeting", name: "vu2n4csnb5yvyzh44wwep2iqkchw5c45" },
  { of: "shop", key: "size", name: "mabkzbhjjqriqavrhizoqzz7f3ro6wcx" },
  { of: store, key: "size", name: "m24pyiidktkqsvsmv7am4de7pb7xqpq5" },
  { of: front, key: "address", name: "nkxzkbjq4zqv4mb7znmoeawk6ij3gcra" },
  { of: front, key: "greeting", name: "yg7ymlb55rw6oqjkpii7nzvj7i4i6nm3" },
];
const targetCopies: readonly Copy[] = [
  { of: "shop", key: "cluster", name: "2bf2rar56vhps6esz4cft4u27hzwbebd" },
  { of: store, key: "cluster", name: "gwjq5mnav3xbzgqyhxvmovfb3ifrndoa" },
  { of: front, key: "cluster", name: "kyzvopjrf4zn7leqizjyiicpffr5dlxw" },
];
const values: Readonly<Record<string, unknown>> = { greeting: "hello", size: 3, address };

function importCopy(stage: Stage, { of, key, name }: Copy): record.RecordedData {
  const scope = `Inst.${of}`;
  const owner = { kind: "Installation", name: of } as const;
  const jobID = of === front ? job : jobOf(stage);
  return { name, owner, jobID, key, context: scope, source: scope, sourceType: "import" };
}

interface Exported {
  readonly name: string;
  readonly key: string;
  readonly owner: string;
  readonly context?: string;
  readonly stage: Stage;
}

function exported({ name, key, owner, context, stage }: Exported): record.RecordedData {
  return {
    name,
    key,
    jobID: jobOf(stage),
    owner: { kind: "Installation", name: owner },
    source: `Inst.${owner}`,
    sourceType: "export",
    ...(context === undefined ? {} : { context }),
  };
}

/**
 * The root Installation "shop": its sub-installation "store" exports the address that "front" imports, and what "front" exports
 * the root exports, too. Each has one item with one ConfigMap. All have succeeded, in one job.
 */
export function recordShop(place: Place, stage: Stage = "done"): RecordedObject[] {
  const isHalf = stage === "half";
  const done = record.finished(jobOf(stage));
  const storeItem = `${store}-item-c5ms8`;
  const frontItem = `${front}-item-w2hbd`;
  const config = clusterConfig(place);
  return [
    record.userObject("Target", "cluster", { spec: { type: clusterImport.targetType, config } }),
    record.userObject("DataObject", "shop-greeting", { data: "hello" }),
    record.userObject("DataObject", "shop-size", { data: 3 }),
    record.installation({
      name: "shop",
      spec: {
        blueprint: { inline: { filesystem: { "blueprint.yaml": rootBlueprint(place) } } },
        imports: {
          data: [
            { name: "greeting", dataRef: "shop-greeting" },
            { name: "size", dataRef: "shop-size" },
          ],
          targets: [{ name: "cluster", target: "cluster" }],
        },
        exports: { data: [{ name: "url", dataRef: "shop-url" }] },
      },
      status: {
        ...(isHalf ? record.atWork("Progressing", nextJob, job) : done),
        subInstCache: {
          activeSubs: [
            { specName: "store", objectName: store },
            { specName: "front", objectName: front },
          ],
          orphanedSubs: [],
        },
      },
    }),
    ...sub(place, {
      stage,
      objectName: store,
      status: { ...done, subInstCache: { activeSubs: [], orphanedSubs: [] } },
      item: item(place, {
        objectName: storeItem,
        status: done,
        manifests: [configMap(place, "store", { address, size: "3" })],
        config: exportOf(place, "address", "store"),
      }),
    }),
    ...sub(place, {
      stage,
      objectName: front,
      status: isHalf ? record.atWork("Init", nextJob, job) : { ...done, subInstCache: { activeSubs: [] } },
      item: item(place, {
        objectName: frontItem,
        status: record.finished(job),
        manifests: [configMap(place, "front", { greeting: "hello", url })],
        config: exportOf(place, "url", "front"),
      }),
    }),
    record.exportSecret(storeItem, { address }),
    record.exportSecret(frontItem, { url }),
    record.executionExport(
      { name: executionExports[store] ?? "", owner: store, jobID: jobOf(stage) },
      { item: { address } },
    ),
    record.executionExport({ name: executionExports[front] ?? "", owner: front, jobID: job }, { item: { url } }),
    ...copies.map((copy) => record.dataObject(importCopy(stage, copy), values[copy.key])),
    ...targetCopies.map((copy) => record.target(importCopy(stage, copy), config)),
    record.dataObject(
      exported({
        name: "3srxrygk3cpygat55xx5ehh5jjxhrgju",
        key: "address",
        owner: store,
        context: "Inst.shop",
        stage,
      }),
      address,
    ),
    ...(isHalf ? [] : exportsOfUrl),
  ];
}

const exportsOfUrl: readonly RecordedObject[] = [
  record.dataObject(
    exported({
      name: "b6qadgyzpn4jmjrcrv5dftsebzs4v35x",
      key: "url",
      owner: front,
      context: "Inst.shop",
      stage: "done",
    }),
    url,
  ),
  record.dataObject(exported({ name: "shop-url", key: "shop-url", owner: "shop", stage: "done" }), url),
];
