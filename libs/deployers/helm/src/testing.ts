// For tests of helm items: charts that are packed on the spot, and specs of items.
import { gzipSync } from "node:zlib";
import type { DeployItemSpec } from "@landscaper/api";
import { pack } from "tar-stream";

/** Files of a chart by path, without the folder that they are in. */
export type ChartFiles = Readonly<Record<string, string>>;

/** Packs a chart as `helm package` does. */
export async function packChart(files: ChartFiles, { name = "app", version = "1.0.0" } = {}): Promise<Buffer> {
  const archive = pack();
  const chartYaml = `apiVersion: v2\nname: ${name}\nversion: ${version}\n`;
  for (const [path, text] of Object.entries({ "Chart.yaml": chartYaml, ...files })) {
    archive.entry({ name: `${name}/${path}`, mtime: new Date(0) }, text);
  }
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part as Buffer);
  return gzipSync(Buffer.concat(parts));
}

/** `chart` of a configuration that holds the chart itself. */
export async function rawChart(files: ChartFiles, identity?: { name?: string; version?: string }): Promise<object> {
  return { archive: { raw: (await packChart(files, identity)).toString("base64") } };
}

/** Spec of an item of release "app". */
export function helmSpec(namespace: string, config: Readonly<Record<string, unknown>>): DeployItemSpec {
  return {
    type: "landscaper.gardener.cloud/helm",
    target: { name: "cluster" },
    config: {
      apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderConfiguration",
      name: "app",
      namespace,
      ...config,
    },
  };
}
