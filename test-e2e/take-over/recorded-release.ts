// Helm releases as the original leaves them on a target: v0.153 with Helm 3, v1.4.0 with Helm 4 and client-side apply.
import { gzipSync } from "node:zlib";
import type { OriginalVersion, RecordedObject } from "./recorded-object.ts";

/** A chart without values, dependencies and hooks. */
export interface RecordedChart {
  readonly metadata: { readonly apiVersion: string; readonly name: string; readonly version: string };
  /** Texts by path, such as "templates/map.yaml". */
  readonly templates: Readonly<Record<string, string>>;
}

export interface RecordedRelease {
  readonly original: OriginalVersion;
  readonly name: string;
  readonly namespace: string;
  readonly chart: RecordedChart;
  /** Values of the item. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Rendered objects, one for each template in their order. */
  readonly objects: readonly RecordedObject[];
}

const manager = "helm-deployer-controller";
const deployedAt = "2025-11-03T10:02:07.123456789Z";

/** Adds the labels and annotations that Helm sets when it applies an object, and the field manager. */
function applied({ name, namespace }: RecordedRelease, object: RecordedObject): RecordedObject {
  const labels = { "app.kubernetes.io/managed-by": "Helm" };
  const annotations = { "meta.helm.sh/release-name": name, "meta.helm.sh/release-namespace": namespace };
  return { ...object, manager, metadata: { ...object.metadata, labels, annotations } };
}

function manifestOf({ chart, objects }: RecordedRelease): string {
  const paths = Object.keys(chart.templates);
  const documents = objects.map(({ apiVersion, kind, metadata: { name }, data }, index) => {
    const source = `# Source: ${chart.metadata.name}/${paths[index] ?? ""}`;
    return `---\n${source}\n${JSON.stringify({ apiVersion, kind, metadata: { name }, data })}\n`;
  });
  return documents.join("");
}

/** Fields that only one of the versions writes. */
const fieldsOf = {
  "v0.153.0": { info: { deleted: "" }, method: {} },
  "v1.4.0": { info: {}, method: { apply_method: "csa" } },
} as const;

function recordOf(release: RecordedRelease): object {
  const { original, name, namespace, chart, values } = release;
  const { info, method } = fieldsOf[original];
  const templates = Object.entries(chart.templates).map(([path, text]) => ({
    name: path,
    data: Buffer.from(text).toString("base64"),
  }));
  return {
    name,
    info: {
      first_deployed: deployedAt,
      last_deployed: deployedAt,
      ...info,
      description: "Install complete",
      status: "deployed",
    },
    chart: { metadata: chart.metadata, lock: null, templates, values: {}, schema: null, files: [] },
    config: values,
    manifest: manifestOf(release),
    version: 1,
    namespace,
    ...method,
  };
}

/** The objects of a release and the record of its first revision. */
export function recordRelease(release: RecordedRelease): RecordedObject[] {
  const { name, namespace, objects } = release;
  const zipped = gzipSync(JSON.stringify(recordOf(release))).toString("base64");
  return [
    ...objects.map((object) => applied(release, object)),
    {
      apiVersion: "v1",
      kind: "Secret",
      cluster: "target",
      type: "helm.sh/release.v1",
      manager,
      metadata: {
        name: `sh.helm.release.v1.${name}.v1`,
        namespace,
        labels: { name, owner: "helm", status: "deployed", version: "1", createdAt: "1762164127" },
      },
      data: { release: Buffer.from(zipped).toString("base64") },
    },
  ];
}
