import { LandscaperError, type DeployItem } from "@landscaper/api";
import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
import type { FetchObject, FetchSchema, RemoteSchema } from "@landscaper/helm";
import { largeChart } from "@landscaper/helm/testing";
import { digestOf } from "@landscaper/oci";
import { ChartRenderer, type RenderingLimits } from "./chart-renderer.ts";
import type { PackedChart } from "./chart-tasks.ts";
import type { RenderedItem, RenderInput } from "./render-release.ts";
import { packChart, type ChartFiles } from "../../test/index.ts";

/** For what is not about limits; all of it counts as one job. */
const usual = new ChartRenderer({ timeoutSeconds: 300 });
const renderers: ChartRenderer[] = [];

function start(limits?: RenderingLimits): ChartRenderer {
  const renderer = new ChartRenderer(limits);
  renderers.push(renderer);
  return renderer;
}

async function packed(files: ChartFiles): Promise<PackedChart> {
  const archive = await packChart(files);
  return { archive, digest: digestOf(archive), from: "a test" };
}

const itemAt = (jobID: string): DeployItem => ({
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "DeployItem",
  metadata: { name: "item", namespace: "a", uid: "uid" },
  spec: { type: "landscaper.gardener.cloud/helm" },
  status: { jobID },
});
const item = itemAt("job");

const input: RenderInput = {
  given: { replicas: 2 },
  release: { name: "web", namespace: "ns", revision: 3, isUpgrade: true },
  capabilities: { kubeVersion: "v1.34.1", apiVersions: ["v1", "apps/v1"] },
  skipsSchemas: false,
  postRender: undefined,
  now: Date.UTC(2026, 0, 2),
};

interface Rendering {
  readonly renderer?: ChartRenderer;
  readonly fetch?: FetchObject;
  readonly fetchSchema?: FetchSchema;
  readonly signal?: AbortSignal;
}

async function render(
  files: ChartFiles,
  { renderer = usual, fetch, fetchSchema, signal = new AbortController().signal }: Rendering = {},
): Promise<RenderedItem> {
  return await renderer.perform(
    { type: "render", chart: await packed(files), input },
    {
      name: "app",
      item,
      fetchSchema,
      fetch: fetch ?? (async () => await Promise.reject(new Error("nothing is looked up"))),
      signal,
    },
  );
}

const configMap = (data: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\ndata:\n  ${data}\n`;
/** Work that neither a fast machine nor a clever engine ends within a second. */
const manyKeys = `${Array.from({ length: 40 }, () => `{{ genPrivateKey "rsa" | len }}`).join("\n")}\n`;

afterAll(async () => usual.close());

describe("rendering in threads", () => {
  afterEach(async () => {
    await Promise.all(renderers.splice(0).map(async (renderer) => renderer.close()));
  });

  it("gives what the release needs", async () => {
    const rendered = await render({
      "templates/map.yaml": configMap("is: '{{ .Release.Revision }} {{ .Values.replicas }} {{ now | date \"2006\" }}'"),
      "templates/hook.yaml": configMap("k: v").replace("name: m", "name: h\n  annotations:\n    helm.sh/hook: test"),
      "templates/NOTES.txt": "hello {{ .Release.Name }}",
      "crds/crd.yaml": "kind: CustomResourceDefinition\n",
    });
    expect(rendered.manifest).toContain("is: '3 2 2026'");
    expect(rendered.hooks).toMatchObject([{ name: "h", events: ["test"] }]);
    expect(rendered).toMatchObject({ notes: "hello web", crds: ["kind: CustomResourceDefinition\n"], warnings: [] });
    expect(rendered.chart).toMatchObject({ metadata: { name: "app", version: "1.0.0" } });
  });

  it("asks the main thread for what templates look up", async () => {
    const asked: unknown[] = [];
    const fetch: FetchObject = async (query) => {
      asked.push(query);
      return await Promise.resolve({ data: { password: "kept" } });
    };
    const template = configMap('is: {{ (lookup "v1" "Secret" "ns" "s").data.password }}');
    const { manifest } = await render({ "templates/map.yaml": template }, { fetch });
    expect(manifest).toContain("is: kept");
    expect(asked).toEqual([{ apiVersion: "v1", kind: "Secret", namespace: "ns", name: "s" }]);
  });

  it("asks the main thread for schemas of other hosts", async () => {
    const asked: string[] = [];
    const schema = { properties: { replicas: { $ref: "https://schemas.example/a.json#/definitions/replicas" } } };
    const files = { "values.schema.json": JSON.stringify(schema), "templates/map.yaml": configMap("k: v") };
    const answerWith = (answer: RemoteSchema): FetchSchema => {
      return async (url) => {
        asked.push(url);
        return await Promise.resolve(answer);
      };
    };
    const maximum = (value: number): RemoteSchema => ({
      text: JSON.stringify({ definitions: { replicas: { maximum: value } } }),
    });
    expect((await render(files, { fetchSchema: answerWith(maximum(2)) })).manifest).toContain("k: v");
    await expect(render(files, { fetchSchema: answerWith(maximum(1)) })).rejects.toMatchObject({
      reason: "InvalidChart",
      message: expect.stringContaining("at '/replicas': maximum: got 2, want 1"),
    });
    await expect(
      render(files, { fetchSchema: answerWith({ problem: "that host is not allowed" }) }),
    ).rejects.toMatchObject({
      reason: "InvalidChart",
      message: expect.stringContaining('failing loading "https://schemas.example/a.json": that host is not allowed'),
      retry: "never",
    });
    expect(asked).toEqual(Array.from({ length: 3 }, () => "https://schemas.example/a.json"));
    const unreachable = new LandscaperError({ message: "no route", reason: "RegistryUnreachable" });
    await expect(render(files, { fetchSchema: async () => Promise.reject(unreachable) })).rejects.toMatchObject({
      reason: "RegistryUnreachable",
      message: "no route",
    });
  });

  it("an error of a lookup is one of the template, and not final", async () => {
    const fetch: FetchObject = async () => await Promise.reject(new Error("secrets are forbidden"));
    const template = configMap('is: {{ lookup "v1" "Secret" "ns" "s" }}');
    await expect(render({ "templates/map.yaml": template }, { fetch })).rejects.toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringMatching(/app\/templates\/map\.yaml:6:.*secrets are forbidden/),
      retry: "backoff",
    });
  });

  it("errors keep place and reason", async () => {
    await expect(render({ "templates/map.yaml": "a: {{ fail `no` }}" })).rejects.toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringContaining("app/templates/map.yaml:1:"),
      retry: "never",
    });
  });

  it("what takes too long ends, and the next chart is rendered", async () => {
    const renderer = start({ threads: 1, timeoutSeconds: 1 });
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 20);
    const failure = await render({ "templates/keys.txt": manyKeys }, { renderer }).catch((error: unknown) => error);
    clearInterval(ticking);
    expect(failure).toMatchObject({
      reason: "ChartLimitExceeded",
      message: "chart app: rendering it took more than 1 s of processor time",
      retry: "never",
    });
    // The main thread went on with its own work.
    expect(ticks).toBeGreaterThan(5);
    expect((await render({ "templates/map.yaml": configMap("k: v") }, { renderer })).manifest).toContain("k: v");
  });

  it("all work on the charts of a job has one limit", async () => {
    const renderer = start({ threads: 1, timeoutSeconds: 1 });
    await expect(render({ "templates/keys.txt": manyKeys }, { renderer })).rejects.toThrow("more than 1 s");
    const chart = await packed({ "templates/map.yaml": configMap("k: v") });
    const { signal } = new AbortController();
    const inspect = async (jobID: string): Promise<unknown> =>
      await renderer.perform({ type: "inspect", chart }, { name: "app", item: itemAt(jobID), signal });
    await expect(inspect("job")).rejects.toMatchObject({
      reason: "ChartLimitExceeded",
      message: "chart app: reading it took more than 1 s of processor time, together with what the job did before",
    });
    expect(await inspect("next job")).toMatchObject({ name: "app" });
  });

  it("what needs too much memory ends, and the next chart is rendered", async () => {
    const renderer = start({ threads: 1, memoryMiB: 48 });
    // Each file ends long before its own limit of time, and leaves what the next one adds to.
    const files = Array.from({ length: 20 }, (_, index) => [
      `templates/part-${index}.txt`,
      `{{- $_ := set .Values "list${index}" (until 400000) }}`,
    ]);
    await expect(render(Object.fromEntries(files), { renderer })).rejects.toMatchObject({
      reason: "ChartLimitExceeded",
      message: "chart app: rendering it needs more than 48 MiB of memory",
    });
    expect((await render({ "templates/map.yaml": configMap("k: v") }, { renderer })).manifest).toContain("k: v");
  });

  it.each(["crds", "values"] as const)(
    "5 MB of %s are rendered within the limits of a job",
    async (shape) => {
      const { manifest } = await render(largeChart(shape, 5_000_000), { renderer: start({ threads: 1 }) });
      expect(manifest.length).toBeGreaterThan(4_900_000);
    },
    120_000,
  );

  it("says how large a chart is that renders to too much", async () => {
    await expect(render(largeChart("range", 17_500_000))).rejects.toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringMatching(
        /^chart large-range: template: large-range\/templates\/all\.yaml:\d.*: budget exceeded: output of at least 167\d{5} characters, the limit is 16777216$/,
      ),
      retry: "never",
    });
    await expect(render(largeChart("templates", 17_500_000))).rejects.toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringMatching(
        /^chart large-templates: template: large-templates\/templates\/w\d+\.yaml: budget exceeded: the files rendered so far have 16 MiB, the limit is 16 MiB$/,
      ),
      retry: "never",
    });
  }, 120_000);

  it("says where a template has taken the memory of a job", async () => {
    const template = `{{- range until 1000 }}{{ $_ := set $.Values (print .) (until 400000) }}{{ end }}`;
    await expect(
      render({ "templates/lists.txt": template }, { renderer: start({ memoryMiB: 256 }) }),
    ).rejects.toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringMatching(
        /^chart app: template: app\/templates\/lists\.txt:1:\d+: .*: budget exceeded: \d+(?:\.\d)? MiB of memory in use, the limit is 128 MiB$/,
      ),
      retry: "never",
    });
  });

  it("an interrupted job does not wait for its chart", async () => {
    const aborter = new AbortController();
    const reason = new Error("interrupted");
    const rendering = render({ "templates/keys.txt": manyKeys }, { signal: aborter.signal });
    setTimeout(() => aborter.abort(reason), 100);
    await expect(rendering).rejects.toBe(reason);
  });

  it("archives are read there, too", async () => {
    const chart = { archive: Buffer.from("no archive"), digest: "sha256:0", from: "a test" };
    const { signal } = new AbortController();
    await expect(usual.perform({ type: "inspect", chart }, { name: "a test", item, signal })).rejects.toMatchObject({
      reason: "InvalidChart",
      message: expect.stringContaining("chart a test: "),
    });
  });
});
