import type { RecordedItem, RecordedObject } from "./recorded-object.ts";
import * as record from "./recorded-object.ts";
import type { Place, Stage } from "./shop.ts";
import {
  blueprint,
  clusterConfig,
  clusterImport,
  configMap,
  deployExecution,
  manifestItem,
  originalOf,
} from "./shop.ts";

const job = "7d5c1c52-55aa-4e0e-8f39-3f2a3f6f1b07";

interface Item {
  readonly name: string;
  readonly objectName: string;
  readonly manifests: readonly RecordedObject[];
  readonly version?: "v1alpha1";
  /** As the user wrote them in the blueprint. */
  readonly written: Readonly<Record<string, unknown>>;
  /** As the original's program writes them: flags that are not set are left away, durations have all units. */
  readonly template: NonNullable<RecordedItem["template"]>;
}

function service({ targetNamespace: namespace }: Place): RecordedObject {
  const spec = { selector: { app: "platform" }, ports: [{ port: 80, targetPort: 8080 }] };
  return { apiVersion: "v1", kind: "Service", cluster: "target", metadata: { name: "door", namespace }, spec };
}

const items = (place: Place): readonly Item[] => [
  {
    name: "base",
    objectName: "platform-base-7nq4x",
    manifests: [configMap(place, "base", { layer: "0" }), service(place)],
    written: { timeout: "90m", updateOnChangeOnly: false, onDelete: { skipUninstallIfClusterRemoved: false } },
    template: { timeout: "1h30m0s", onDelete: {} },
  },
  {
    name: "middle",
    objectName: "platform-middle-kd82v",
    version: "v1alpha1",
    manifests: [configMap(place, "middle", { layer: "1" })],
    written: { dependsOn: ["base"] },
    template: { dependsOn: ["base"] },
  },
  {
    name: "top",
    objectName: "platform-top-5xz9c",
    manifests: [configMap(place, "top", { layer: "2" })],
    written: { dependsOn: ["middle"], updateOnChangeOnly: true, timeout: "10m" },
    template: { dependsOn: ["middle"], updateOnChangeOnly: true, timeout: "10m0s" },
  },
];

function platformBlueprint(place: Place): string {
  return blueprint({
    imports: [clusterImport],
    deployExecutions: deployExecution(
      items(place).map((item) => manifestItem(item.name, record.providerConfiguration(item), item.written)),
    ),
  });
}

/**
 * The root Installation "platform", done: one Execution with three items, each depending on the one before.
 */
export function recordPlatform(place: Place, stage: Stage = "done"): RecordedObject[] {
  const config = clusterConfig(place);
  const scope = "Inst.platform";
  return [
    record.userObject("Target", "cluster", { spec: { type: clusterImport.targetType, config } }),
    record.installation({
      name: "platform",
      spec: {
        blueprint: { inline: { filesystem: { "blueprint.yaml": platformBlueprint(place) } } },
        imports: { targets: [{ name: "cluster", target: "cluster" }] },
      },
      status: {
        ...record.finished(job),
        subInstCache: { activeSubs: [], orphanedSubs: [] },
        executionRef: { name: "platform", namespace: place.namespace },
      },
    }),
    ...record.execution({
      ...originalOf(place),
      name: "platform",
      namespace: place.namespace,
      items: items(place).map(({ written: _written, ...item }) => ({
        ...item,
        status: record.finished(job),
        isUnmarked: item.name === "middle" && stage !== "marked",
      })),
      status: { ...record.finished(job), observedGeneration: undefined },
    }),
    record.target(
      {
        name: "pqyjmbqrqvxd2d6s2k2fvvjxsbc6ag27",
        owner: { kind: "Installation", name: "platform" },
        jobID: job,
        key: "cluster",
        context: scope,
        source: scope,
        sourceType: "import",
      },
      config,
    ),
  ];
}
