import { type DeployItem, type DeployItemSpec, finalizer } from "@landscaper/api";
import { packChart } from "@landscaper/helm-deployer-lib/testing";
import { targetName } from "../measure/measured-installation.ts";

/** Of which deployer the items are. */
export type WaitingType = "manifest" | "helm";

interface ItemPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Returns a function that makes an item with a ConfigMap of its name. The ConfigMap is ready when its `data.ready` is "yes". */
export async function createWaitingItems(type: WaitingType): Promise<(place: ItemPlace) => DeployItem> {
  const specOf = type === "helm" ? await createHelmSpecs() : manifestSpec;
  return ({ namespace, name }) => {
    const object = { apiVersion: "v1", kind: "ConfigMap", name, namespace };
    const requirements = [{ jsonPath: ".data.ready", operator: "==", values: [{ value: "yes" }] }];
    const readinessChecks = { custom: [{ name: "ready", resourceSelector: [object], requirements }] };
    const { type: ofItem, config } = specOf({ namespace, name });
    return {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DeployItem",
      metadata: { name, namespace, finalizers: [finalizer] },
      spec: {
        type: ofItem,
        target: { name: targetName, namespace },
        timeout: "1h",
        config: { ...config, kind: "ProviderConfiguration", readinessChecks },
      },
    };
  };
}

type SpecOf = (place: ItemPlace) => Required<Pick<DeployItemSpec, "type" | "config">>;

const manifestSpec: SpecOf = ({ namespace, name }) => {
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { ready: "no" } };
  return {
    type: "landscaper.gardener.cloud/kubernetes-manifest",
    config: {
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
      updateStrategy: "update",
      manifests: [{ policy: "manage", manifest }],
    },
  };
};

/** A chart of the usual size: 20 templates, 40 KB, of which one is enabled. */
export async function createHelmSpecs(): Promise<SpecOf> {
  const map = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  ready: "no"\n`;
  const others = Array.from({ length: 20 }, (_, index) => {
    const lines = Array.from(
      { length: 40 },
      (_line, at) => `  key-${index}-${at}: {{ .Values.value | default "${at}" | quote }}`,
    );
    return [
      `templates/part-${index}.yaml`,
      `{{ if .Values.all }}\nkind: ConfigMap\ndata:\n${lines.join("\n")}\n{{ end }}\n`,
    ];
  });
  const archive = await packChart({ ...Object.fromEntries(others), "templates/map.yaml": map });
  const raw = archive.toString("base64");
  return ({ namespace, name }) => ({
    type: "landscaper.gardener.cloud/helm",
    config: {
      apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
      name,
      namespace,
      chart: { archive: { raw } },
    },
  });
}
