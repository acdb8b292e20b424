import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "@jest/globals";
import { LandscaperError, type ChartSource } from "@landscaper/api";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { createEgressPolicy } from "@landscaper/egress";
import { createContentCache, digestOf } from "@landscaper/oci";
import { startScriptedRegistry, type Script, type ScriptedRegistry } from "@landscaper/oci/testing";
import {
  createChartFetcher,
  type ChartFetcher,
  type ChartFetcherOptions,
  type FetchContext,
  type RepositoryChart,
} from "./chart-fetcher.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const archive = Buffer.from("packed chart");
const { signal } = new AbortController();
const resourceRef = Buffer.from(
  "component: { name: example.org/app, version: 1.2.3 }\nresource: { name: chart, arch: arm64 }\n",
).toString("base64");
const basic = `Basic ${Buffer.from("me:hunter2").toString("base64")}`;

async function serve(script: Script, tls?: { readonly cert: string; readonly key: string }): Promise<ScriptedRegistry> {
  const server = await startScriptedRegistry(script, tls);
  closers.push(async () => server.stop());
  return server;
}

function open(options: Partial<ChartFetcherOptions> = {}): ChartFetcher {
  const fetcher = createChartFetcher({ userAgent: "test", retries: 0, ...options });
  closers.push(async () => fetcher.close());
  return fetcher;
}

async function fetchChart(source: ChartSource, context: Partial<FetchContext> = {}, fetcher = open()) {
  return await fetcher.fetch(source, { registries: [], repositories: [], signal, ...context });
}

/** A registry with one repository, whose manifest holds the archive, under these tags. */
async function serveRegistry(
  tags: readonly string[],
  mediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
) {
  const layer = { mediaType, digest: digestOf(archive), size: archive.length };
  const config = {
    mediaType: "application/vnd.cncf.helm.config.v1+json",
    digest: digestOf(Buffer.from("{}")),
    size: 2,
  };
  const type = "application/vnd.oci.image.manifest.v1+json";
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: type, config, layers: [layer] }));
  const digest = digestOf(manifest);
  const server = await serve(({ url }, response) => {
    const name = /^\/v2\/charts\/app\/manifests\/(.*)$/.exec(url)?.[1];
    if (url === "/v2/charts/app/tags/list") response.end(JSON.stringify({ tags }));
    else if (url === `/v2/charts/app/blobs/${layer.digest}`) response.end(archive);
    else if (name !== undefined && (tags.includes(name) || name === digest)) {
      response.writeHead(200, {
        "content-type": type,
        "docker-content-digest": digest,
        "content-length": manifest.length,
      });
      response.end(manifest);
    } else response.writeHead(404).end();
  });
  return { server, digest, base: `${server.origin}/charts/app` };
}

describe("chart.archive", () => {
  it("takes base64, also with line breaks", async () => {
    const raw = archive.toString("base64").replace(/(.{8})/g, "$1\n");
    const chart = await fetchChart({ archive: { raw } });
    expect({ ...chart, archive: Buffer.from(chart.archive).toString() }).toEqual({
      archive: "packed chart",
      digest: digestOf(archive),
      origin: "chart.archive.raw",
    });
  });

  it("fetches a URL without credentials", async () => {
    const server = await serve((_request, response) => response.end(archive));
    const repositories = [{ url: new URL(server.origin), authorization: basic }];
    const chart = await fetchChart(
      { archive: { remote: { url: `${server.origin}/app.tgz?signature=hunter2` } } },
      { repositories },
    );
    expect([chart.origin, chart.digest]).toEqual([`${server.origin}/app.tgz`, digestOf(archive)]);
    expect(server.requests.map(({ url, authorization }) => [url, authorization])).toEqual([
      ["/app.tgz?signature=hunter2", undefined],
    ]);
  });

  it.each([
    [{ archive: { raw: "no base64!" } }, "InvalidChartSource", "chart.archive.raw: expected base64"],
    [
      { archive: { remote: { url: "file:///etc/passwd" } } },
      "InvalidChartSource",
      "chart.archive.remote.url: expected a URL with https:// or http://, found file://",
    ],
    [
      { archive: { remote: { url: "oci://registry.example.org/web" } } },
      "InvalidChartSource",
      "expected a URL with https:// or http://, found oci://registry.example.org; for an OCI registry, use chart.ref",
    ],
    [
      { archive: { remote: { url: "https://me:hunter2@a.org/x" } } },
      "InvalidChartSource",
      "expected a URL without user and password, found one of host a.org; remove them, and set credentials in the Context",
    ],
    [{ archive: {} }, "InvalidChartSource", "chart: expected one of archive, ref, helmChartRepo and resourceRef"],
    [
      { fromResource: { resourceName: "x" } as never },
      "InvalidChartSource",
      "chart.fromResource: is no longer supported",
    ],
    [
      { resourceRef: "key?" },
      "InvalidChartSource",
      "chart.resourceRef: expected base64 of YAML with component and resource, as getResourceKey makes it, found no base64",
    ],
    [
      { resourceRef },
      "InvalidChartSource",
      "chart.resourceRef: resource chart (arch arm64) of component example.org/app:1.2.3: component resources are not available in this deployer yet",
    ],
  ])("refuses %j", async (source, reason, problem) => {
    const error: unknown = await fetchChart(source).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason, message: expect.stringContaining(problem), retry: "never" });
    expect(String(error)).not.toContain("hunter2");
  });

  it("says what a server answers, and how much it may send", async () => {
    const server = await serve(({ url }, response) =>
      url === "/large" ? response.end(Buffer.alloc(100)) : response.writeHead(404).end(),
    );
    const remote = async (path: string): Promise<unknown> =>
      fetchChart({ archive: { remote: { url: `${server.origin}${path}` } } }, {}, open({ maxArchiveBytes: 99 })).catch(
        (error: unknown) => error,
      );
    expect(await remote("/absent")).toMatchObject({
      reason: "RegistryNotFound",
      message: `${server.origin}/absent: not found (404)`,
    });
    expect(await remote("/large")).toMatchObject({
      reason: "ContentTooLarge",
      message: `${server.origin}/large: more than the allowed 99 bytes`,
    });
  });
});

describe("chart.ref", () => {
  it.each([
    ["a tag", ":1.0.0", "1.0.0"],
    ["build metadata", ":1.2.0+b1", "1.2.0+b1"],
    ["a range", ":^1", "1.2.0+b1"],
    ["a range that looks like a tag", ":1.0.x", "1.0.0"],
    ["a tag that looks like a range", ":0.x", "0.x"],
    ["a tag that is no version", ":latest", "latest"],
  ])("takes %s", async (_what, version, expected) => {
    const { base, digest } = await serveRegistry(["1.0.0", "1.2.0_b1", "0.x", "0.1.0", "latest"]);
    const chart = await fetchChart({ ref: `${base}${version}` });
    const tag = expected.replace("+", "_");
    expect([chart.version, chart.digest, chart.origin]).toEqual([
      expected,
      digestOf(archive),
      `${base}:${tag}@${digest}`,
    ]);
  });

  it("takes a digest, which decides", async () => {
    const { base, digest, server } = await serveRegistry([]);
    expect((await fetchChart({ ref: `${base}@${digest}` })).origin).toBe(`${base}@${digest}`);
    expect((await fetchChart({ ref: `${base}:moved@${digest}` })).version).toBe("moved");
    expect(server.requests.some(({ url }) => url.includes("moved"))).toBe(false);
  });

  it("fetches content once, and asks for what a tag names each time", async () => {
    const directory = await mkdtemp(join(tmpdir(), "charts-"));
    closers.push(async () => rm(directory, { recursive: true, force: true }));
    const { base, server } = await serveRegistry(["1.0.0"]);
    const fetcher = open({ cache: createContentCache({ directory, maxBytes: 1_000_000 }) });
    await fetchChart({ ref: `${base}:1.0.0` }, {}, fetcher);
    await fetchChart({ ref: `${base}:1.0.0` }, {}, fetcher);
    expect(server.requests.map(({ method, url }) => `${method} ${url.split("/")[4] ?? ""}`)).toEqual([
      "HEAD manifests",
      "GET manifests",
      "GET blobs",
      "HEAD manifests",
    ]);
    const other = { host: server.host, path: "", credential: { username: "other", password: "x" } };
    await fetchChart({ ref: `${base}:1.0.0` }, { registries: [other] }, fetcher);
    expect(server.requests).toHaveLength(7);
  });

  it.each([
    ["", "InvalidChartSource", "chart.ref: expected a tag, a range of versions or a digest"],
    [":not a tag", "InvalidChartSource", 'chart.ref: expected a tag or a range of versions, found "not a tag"'],
    [":2.0.0", "RegistryNotFound", "manifests/2.0.0: not found (404)"],
    [":>=2", "ChartNotFound", "no tag is a version of >=2"],
  ])("says of %j what is wrong", async (version, reason, problem) => {
    const { base } = await serveRegistry(["1.0.0"]);
    const error: unknown = await fetchChart({ ref: `${base}${version}` }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason, message: expect.stringContaining(problem) });
  });

  it("says when it is no chart", async () => {
    const { base } = await serveRegistry(["1.0.0"], "application/vnd.oci.image.layer.v1.tar+gzip");
    const error: unknown = await fetchChart({ ref: `${base}:1.0.0` }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      reason: "InvalidChartSource",
      message: expect.stringContaining(
        "is no Helm chart: none of its layers is one, found application/vnd.oci.image.layer.v1.tar+gzip",
      ),
    });
  });
});

describe("chart.helmChartRepo", () => {
  const index = (url: string, digest = digestOf(archive)): string =>
    JSON.stringify({ apiVersion: "v1", entries: { app: [{ version: "1.0.0", urls: [url], digest }] } });
  const source = (url: string, version = "1.0.0"): ChartSource => ({
    helmChartRepo: { helmChartRepoUrl: url, helmChartName: "app", helmChartVersion: version },
  });

  it("fetches what the index says, with the credentials of the repository", async () => {
    const server = await serve(({ url, authorization }, response) => {
      if (authorization !== basic) response.writeHead(401, { "www-authenticate": "Basic" }).end();
      else response.end(url === "/team/index.yaml" ? index("packed/app-1.0.0.tgz") : archive);
    });
    const repositories = [{ url: new URL(`${server.origin}/team`), authorization: basic }];
    const chart = await fetchChart(source(`${server.origin}/team`, "^1"), { repositories });
    expect([chart.version, chart.origin, chart.digest]).toEqual([
      "1.0.0",
      `${server.origin}/team/packed/app-1.0.0.tgz`,
      digestOf(archive),
    ]);
    expect(server.requests.map(({ url }) => url)).toEqual(["/team/index.yaml", "/team/packed/app-1.0.0.tgz"]);
    const error: unknown = await fetchChart(source(`${server.origin}/team`)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      reason: "RegistryUnauthorized",
      message: `${server.origin}/team/index.yaml: credentials are needed (401)`,
    });
    const wrong = { url: new URL(server.origin), authorization: "Basic d3Jvbmc6d3Jvbmc=", from: "Context default" };
    const refused = fetchChart(source(`${server.origin}/team`), { repositories: [wrong] });
    await expect(refused).rejects.toMatchObject({
      reason: "RegistryUnauthorized",
      message: `${server.origin}/team/index.yaml: the credentials (Context default) were refused (401)`,
    });
  });

  it("does not send them to the host of the archive", async () => {
    const other = await serve((_request, response) => response.end(archive));
    const server = await serve((_request, response) => response.end(index(`${other.origin}/app.tgz`)));
    const repositories = [{ url: new URL(server.origin), authorization: basic }];
    await fetchChart(source(server.origin), { repositories });
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([basic]);
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it("refuses an archive that is not what the index says", async () => {
    const server = await serve(({ url }, response) =>
      response.end(url === "/index.yaml" ? index("app.tgz") : "changed"),
    );
    const error: unknown = await fetchChart(source(server.origin)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      reason: "DigestMismatch",
      message: `${server.origin}/app.tgz: expected digest ${digestOf(archive)} as the index says, found ${digestOf(Buffer.from("changed"))}`,
    });
  });

  it("unpacks no index: a small answer stays small", async () => {
    const text = `${index("app-1.0.0.tgz")}${" ".repeat(10 * 1024 * 1024)}`;
    const server = await serve((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text)),
    );
    const error: unknown = await fetchChart(source(server.origin)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: expect.stringContaining("index.yaml: error converting YAML to JSON") });
    expect(server.requests.map(({ url }) => url)).toEqual(["/index.yaml"]);
  });

  it("does not follow the index to files", async () => {
    const server = await serve((_request, response) => response.end(index("file:///etc/passwd")));
    const error: unknown = await fetchChart(source(server.origin)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: `${server.origin}/: chart app 1.0.0: urls[0]: expected a URL with https:// or http://, found file://`,
    });
  });

  it.each([
    [{ helmChartRepoUrl: "https://a.org", helmChartName: "", helmChartVersion: "1" }, "helmChartName: expected a name"],
    [
      { helmChartRepoUrl: "https://a.org", helmChartName: "a", helmChartVersion: "" },
      "helmChartVersion: expected a version",
    ],
    [
      { helmChartRepoUrl: "oci://a.org", helmChartName: "a", helmChartVersion: "1" },
      "helmChartRepoUrl: expected a URL",
    ],
  ])("refuses %j", async (helmChartRepo, problem) => {
    const error: unknown = await fetchChart({ helmChartRepo }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: "InvalidChartSource", message: expect.stringContaining(problem) });
  });
});

describe("the chart that a component names", () => {
  const chartIn = (repository: string, others: Partial<RepositoryChart> = {}): RepositoryChart => ({
    repository,
    chart: "app",
    version: "1.0.0",
    ca: undefined,
    ...others,
  });
  const fetchNamed = async (chart: RepositoryChart, context: Partial<FetchContext> = {}, fetcher = open()) =>
    await fetcher.fetchFromRepository(chart, { registries: [], repositories: [], signal, ...context });
  const entries = { app: [{ version: "1.0.0", urls: ["app.tgz"], digest: digestOf(archive) }] };
  const serveIndex: Script = ({ url, authorization }, response) => {
    if (authorization !== basic) response.writeHead(401).end();
    else response.end(url === "/team/index.yaml" ? JSON.stringify({ apiVersion: "v1", entries }) : archive);
  };

  it("comes from a Helm repository, with the credentials for it", async () => {
    const server = await serve(serveIndex);
    const repositories = [{ url: new URL(server.origin), authorization: basic }];
    const found = await fetchNamed(chartIn(`${server.origin}/team`), { repositories });
    expect([found.digest, found.origin]).toEqual([digestOf(archive), `${server.origin}/team/app.tgz`]);
    await expect(fetchNamed(chartIn(`${server.origin}/team`))).rejects.toMatchObject({
      reason: "RegistryUnauthorized",
    });
  });

  it("comes from an OCI registry", async () => {
    const { base, digest } = await serveRegistry(["1.0.0"]);
    const repository = base.replace(/^http:\/\/(.*)\/app$/, "oci://$1/");
    const found = await fetchNamed(chartIn(repository), {}, open({ allowPlainHttp: true }));
    expect([found.digest, found.reference?.digest]).toEqual([digestOf(archive), digest]);
  });

  it("is trusted by the authority of the component only where no credential is for the repository", async () => {
    const authority = createCertificateAuthority("charts authority", Date.now);
    const server = await serve(serveIndex, authority.issue({ commonName: "charts", hosts: ["127.0.0.1"] }));
    const named = chartIn(`${server.origin}/team`, { ca: authority.cert });
    await expect(fetchNamed(named)).rejects.toMatchObject({ reason: "RegistryUnauthorized" });
    const repositories = [{ url: new URL(server.origin), authorization: basic }];
    await expect(fetchNamed(named, { repositories })).rejects.toThrow(/certificate/);
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  const fields = { url: "helmRepository", name: "path", version: "version", ca: "caCertFile" };
  it.each([
    [{ version: undefined }, "access.version: expected a version or a range of versions"],
    [{ version: undefined, repository: "oci://a.org/b" }, "access.version: expected a version or a range of versions"],
    [{ chart: "" }, "access.helmChart: expected a name"],
    [{ repository: "file:///etc" }, "access.helmRepository: expected a URL with https:// or http://"],
    [{ repository: "https://me:hunter2@a.org" }, "access.helmRepository: expected a URL without user and password"],
    [{ version: undefined, fields }, "version: expected a version or a range of versions"],
    [{ chart: "", fields }, "path: expected a name"],
    [{ repository: "file:///etc", fields }, "helmRepository: expected a URL with https:// or http://"],
    [{ ca: "no PEM", fields }, "caCertFile: expected certificates as PEM"],
    [{ ca: "no PEM" }, "access.caCert: expected certificates as PEM"],
    [
      { ca: "no PEM", repository: "oci://a.org/b" },
      "access.caCert: is not for registries; give it with their credentials",
    ],
  ])("is refused with %j", async (others, problem) => {
    const error: unknown = await fetchNamed(chartIn("https://a.org", others)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: "InvalidChartSource", message: expect.stringContaining(problem) });
    expect(String(error)).not.toContain("hunter2");
  });

  it("is not asked for on hosts that are denied", async () => {
    const fetcher = open({ egress: createEgressPolicy({ deny: ["127.0.0.1/32"] }) });
    await expect(fetchNamed(chartIn("http://127.0.0.1:1"), {}, fetcher)).rejects.toThrow(
      /^access.helmRepository: .*denied by the entry/,
    );
  });
});

describe("precedence", () => {
  it("takes the archive before all, and resourceRef last", async () => {
    const resource: FetchContext["resource"] = async ({ component }) =>
      await Promise.resolve(Buffer.from(`chart of ${component.name}`));
    const all: ChartSource = {
      archive: { raw: archive.toString("base64") },
      ref: "example.org/a:1",
      resourceRef,
    };
    expect((await fetchChart(all, { resource })).origin).toBe("chart.archive.raw");
    const chart = await fetchChart({ resourceRef }, { resource });
    expect([Buffer.from(chart.archive).toString(), chart.origin]).toEqual([
      "chart of example.org/app",
      "resource chart (arch arm64) of component example.org/app:1.2.3",
    ]);
  });
});

it.each([
  [
    "the index breaks off",
    { headers: { "content-length": "700" }, body: "apiVersion: v1" },
    /^http:\/\/127\.0\.0\.1:\d+\/index\.yaml: the (connection was closed before the answer was complete|answer broke off)/,
  ],
  [
    "the index is redirected in a ring",
    { headers: { location: "/index.yaml" }, body: "" },
    /refused more than 5 redirects$/,
  ],
])("explains it if %s", async (_what, { headers, body }, message) => {
  const server = await serve((_request, response) => {
    response.writeHead("location" in headers ? 302 : 200, headers);
    response.write(body);
    setTimeout(() => response.destroy(), 20);
  });
  const helmChartRepo = { helmChartRepoUrl: server.origin, helmChartName: "app", helmChartVersion: "1" };
  const error: unknown = await fetchChart({ helmChartRepo }).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(LandscaperError);
  expect((error as Error).message).toMatch(message);
});
