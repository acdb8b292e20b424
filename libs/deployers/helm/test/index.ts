// For tests of helm items: charts that are packed on the spot, and specs of items.
import { gzipSync } from "node:zlib";
import type { DeployItemSpec } from "@landscaper/api";
import { digestOf } from "@landscaper/oci";
import { startScriptedRegistry } from "@landscaper/oci/testing";
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

export interface ChartServer {
  readonly host: string;
  /** Authorization headers that came, "" for none. */
  readonly authorizations: readonly string[];
  stop(): Promise<void>;
}

/**
 * A registry (`http://HOST/charts/app:VERSION`) and a Helm repository (`http://HOST/repo`) with one chart. With `basic` ("user:password") both
 * want it.
 */
export async function startChartServer(
  archive: Buffer,
  { basic, name = "app", version = "1.0.0" }: { basic?: string; name?: string; version?: string } = {},
): Promise<ChartServer> {
  const mediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
  const type = "application/vnd.oci.image.manifest.v1+json";
  const layer = { mediaType, digest: digestOf(archive), size: archive.length };
  const config = {
    mediaType: "application/vnd.cncf.helm.config.v1+json",
    digest: digestOf(Buffer.from("{}")),
    size: 2,
  };
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: type, config, layers: [layer] }));
  const digest = digestOf(manifest);
  const index = { apiVersion: "v1", entries: { [name]: [{ name, version, urls: [`${name}.tgz`] }] } };
  const headers = { "content-type": type, "docker-content-digest": digest };
  const answers = new Map<string, { readonly body: Buffer | string; readonly headers?: Record<string, string> }>([
    ["/v2/", { body: "{}" }],
    [`/v2/charts/${name}/blobs/${layer.digest}`, { body: archive }],
    [`/v2/charts/${name}/manifests/${version}`, { body: manifest, headers }],
    [`/v2/charts/${name}/manifests/${digest}`, { body: manifest, headers }],
    [`/v2/charts/${name}/tags/list`, { body: JSON.stringify({ tags: [version] }) }],
    ["/repo/index.yaml", { body: JSON.stringify(index) }],
    [`/repo/${name}.tgz`, { body: archive }],
  ]);
  const wanted = basic === undefined ? undefined : `Basic ${Buffer.from(basic).toString("base64")}`;
  const server = await startScriptedRegistry(({ url, authorization }, response) => {
    const answer = answers.get(url);
    if (wanted !== undefined && authorization !== wanted) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="test"' }).end();
    } else if (answer === undefined) response.writeHead(404).end();
    else
      response.writeHead(200, { "content-length": Buffer.byteLength(answer.body), ...answer.headers }).end(answer.body);
  });
  return {
    host: server.host,
    get authorizations() {
      return server.requests.map(({ authorization = "" }) => authorization);
    },
    stop: async () => server.stop(),
  };
}
