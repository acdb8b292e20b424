import { afterEach, describe, expect, it } from "@jest/globals";
import { createChartFetcher } from "@landscaper/chart-source";
import { createRegistryClient, digestOf } from "@landscaper/oci";
import { startScriptedRegistry, type ScriptedRegistry } from "@landscaper/oci/testing";
import type { Access } from "@landscaper/ocm";
import { createComponentSource, type ComponentRights } from "./component-source.ts";

const { signal } = new AbortController();
const archive = Buffer.from("packed chart");
const value = digestOf(archive).slice("sha256:".length);
const generic = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "genericBlobDigest/v1" };
const ofArtifact = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "ociArtifactDigest/v1" };
const authorization = `Basic ${Buffer.from("me:hunter2").toString("base64")}`;

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

/** A Helm repository with the chart web 1.0.0, for those who have the credential. */
async function startRepository(): Promise<ScriptedRegistry> {
  const index = JSON.stringify({ apiVersion: "v1", entries: { web: [{ version: "1.0.0", urls: ["web.tgz"] }] } });
  const server = await startScriptedRegistry(({ url, authorization: given }, response) => {
    if (given !== authorization) response.writeHead(401).end();
    else response.end(url === "/index.yaml" ? index : archive);
  });
  closings.push(async () => server.stop());
  return server;
}

function accessOf(server: ScriptedRegistry, keyring?: string): Access {
  return { kind: "chart", repository: server.origin, chart: "web", version: "1.0.0", ca: undefined, keyring };
}

interface Asked {
  readonly digest?: typeof generic & { readonly value: string };
  readonly type?: "content" | "digest";
  readonly rights?: Partial<ComponentRights>;
}

async function fetchChart(access: Access, { digest, type = "content", rights }: Asked = {}) {
  const registries = createRegistryClient({ userAgent: "test", retries: 0 });
  const charts = createChartFetcher({ userAgent: "test", retries: 0 });
  closings.push(async () => registries.close());
  closings.push(async () => charts.close());
  const server = access.kind === "chart" ? new URL(access.repository) : new URL("http://none");
  const readRepositories = async () => await Promise.resolve([{ url: server, authorization }]);
  const fetcher = createComponentSource({ registries, charts }).forJob({
    credentials: [],
    resolvers: [],
    readRepositories,
    ...rights,
  });
  const component = { name: "example.com/app", version: "1.0.0" };
  const request = { component, context: undefined, resource: "chart", access };
  return type === "digest"
    ? await fetcher.fetch({ ...request, type, digest: digest ?? { ...generic, value } }, { signal })
    : await fetcher.fetch({ ...request, type, digest, use: "content" }, { signal });
}

describe("a chart of a Helm repository", () => {
  it("is content, with the credentials of the job", async () => {
    const server = await startRepository();
    const found = await fetchChart(accessOf(server), { digest: { ...generic, value } });
    expect({ ...found, bytes: Buffer.from(found.bytes).toString() }).toEqual({
      bytes: "packed chart",
      digest: digestOf(archive),
      mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
      where: `${server.origin}/web.tgz`,
    });
  });

  it("is found in the index by whoever the job names", async () => {
    const server = await startRepository();
    const asked: string[] = [];
    const findInIndex: ComponentRights["findInIndex"] = async (_index, { name, version }) => {
      asked.push(`${name} ${version}`);
      return await Promise.resolve({ version, url: "web.tgz", digest: undefined });
    };
    await fetchChart(accessOf(server), { rights: { findInIndex } });
    expect(asked).toEqual(["web 1.0.0"]);
  });

  it("has the hash of its bytes", async () => {
    const server = await startRepository();
    expect((await fetchChart(accessOf(server), { type: "digest" })).digest).toBe(value);
  });

  const named = 'component example.com/app:1.0.0: resource "chart": ';

  it.each<readonly [string, string, Asked & { readonly keyring?: string }]>([
    [
      "another digest",
      `digest mismatch: the descriptor has ${"0".repeat(64)}, the content ${value}`,
      { digest: { ...generic, value: "0".repeat(64) } },
    ],
    [
      "a digest of an artifact that is to be verified",
      "a chart of a Helm repository has no manifest, and what cannot be read cannot be verified",
      { digest: { ...ofArtifact, value }, type: "digest" },
    ],
    ["a keyring", "access.keyring: the provenance of charts is not checked", { keyring: "keys" }],
  ])("with %s is refused", async (_title, problem, { keyring, ...asked }) => {
    const server = await startRepository();
    await expect(fetchChart(accessOf(server, keyring), asked)).rejects.toMatchObject({
      reason: "InvalidComponent",
      message: `${named}${problem}`,
      retry: "never",
    });
  });

  it("that wants other credentials names component, resource and place", async () => {
    const server = await startRepository();
    await expect(fetchChart(accessOf(server), { rights: { readRepositories: undefined } })).rejects.toMatchObject({
      reason: "RegistryUnauthorized",
      message: `${named}${server.origin}/index.yaml: credentials are needed (401)`,
    });
  });
});
