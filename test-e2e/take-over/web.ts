import { scopedName } from "../src/kits/contract-names.ts";
import type { OriginalVersion, RecordedItem, RecordedObject } from "./recorded-object.ts";
import * as record from "./recorded-object.ts";
import { recordRelease, type RecordedChart } from "./recorded-release.ts";
import type { Place } from "./shop.ts";
import { blueprint, clusterConfig, clusterImport, configMap, deployExecution, manifestItem } from "./shop.ts";

type Data = Readonly<Record<string, string>>;

/** Settings of the user in the blueprint. */
export interface WebSettings {
  /** Data of both ConfigMaps. */
  readonly data: Data;
  /** Update strategy of both items; absent in the recorded landscape. */
  readonly updateStrategy?: "apply";
}

export interface WebPlace extends Place {
  readonly original: OriginalVersion;
  /** Packed `webChart`, in the form of the provider configuration. */
  readonly chart: object;
}

/** Chart with the ConfigMap "web", whose data is the value `data`. */
export const webChart: RecordedChart = {
  metadata: { apiVersion: "v2", name: "web", version: "1.0.0" },
  templates: {
    "templates/map.yaml":
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: {{ .Values.data | toJson }}\n",
  },
};

/** Data of the recorded landscape. */
export const recordedData: Data = { always: "original", former: "here" };

const job = "3c1b7a52-6b1e-4b7e-9a51-0d9f6f0c8e11";

const helmConfiguration = (place: WebPlace, { data, ...strategy }: WebSettings) => ({
  apiVersion: `helm.deployer.${record.group}/v1alpha1`,
  kind: "ProviderConfiguration",
  name: "web",
  namespace: place.targetNamespace,
  chart: place.chart,
  values: { data },
  ...strategy,
});

const manifestConfiguration = (place: WebPlace, { data, ...strategy }: WebSettings) => ({
  manifests: [configMap(place, "plain", data)],
  config: strategy,
});

/** Spec of the Installation: an item with a release, and an item with a manifest. */
export function webSpec(place: WebPlace, settings: WebSettings) {
  const plain = record.providerConfiguration(manifestConfiguration(place, settings));
  const release = { ...manifestItem("release", helmConfiguration(place, settings)), type: `${record.group}/helm` };
  const text = blueprint({
    imports: [clusterImport],
    deployExecutions: deployExecution([release, manifestItem("plain", plain)]),
  });
  return {
    blueprint: { inline: { filesystem: { "blueprint.yaml": text } } },
    imports: { targets: [{ name: "cluster", target: "cluster" }] },
  };
}

/** Records the root Installation "web" after a successful job. */
export function recordWeb(place: WebPlace): RecordedObject[] {
  const settings = { data: recordedData };
  const config = clusterConfig(place);
  const done = record.finished(job);
  const scope = "Inst.web";
  const items: readonly RecordedItem[] = [
    {
      name: "release",
      objectName: "web-release-h4d7s",
      manifests: [],
      helm: helmConfiguration(place, settings),
      status: done,
    },
    { name: "plain", objectName: "web-plain-q8w3z", ...manifestConfiguration(place, settings), status: done },
  ];
  return [
    record.userObject("Target", "cluster", { spec: { type: clusterImport.targetType, config } }),
    record.installation({
      name: "web",
      spec: webSpec(place, settings),
      status: {
        ...done,
        subInstCache: { activeSubs: [], orphanedSubs: [] },
        executionRef: { name: "web", namespace: place.namespace },
      },
    }),
    ...record.execution({
      name: "web",
      namespace: place.namespace,
      original: place.original,
      items,
      status: { ...done, observedGeneration: undefined },
    }),
    ...recordRelease({
      original: place.original,
      name: "web",
      namespace: place.targetNamespace,
      chart: webChart,
      values: settings,
      objects: [configMap(place, "web", recordedData)],
    }),
    record.target(
      {
        name: scopedName(scope, "cluster"),
        owner: { kind: "Installation", name: "web" },
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
