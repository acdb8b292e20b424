import { LandscaperError } from "@landscaper/api";
import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
import type { FetchObject, FetchSchema, RemoteSchema } from "@landscaper/helm";
import { ChartRenderer, type RenderingLimits } from "./chart-renderer.ts";
import type { RenderedItem } from "./render-release.ts";
import type { ChartFiles } from "../../test/index.ts";
import { itemAt, packedChart, renderChart, type Rendering } from "../../test/render-chart.ts";

/** For what is not about limits; all of it counts as one job. */
const usual = new ChartRenderer({ timeoutSeconds: 300 });
const renderers: ChartRenderer[] = [];

function start(limits?: RenderingLimits): ChartRenderer {
  const renderer = new ChartRenderer(limits);
  renderers.push(renderer);
  return renderer;
}

const render = async (files: ChartFiles, rendering: Partial<Rendering> = {}): Promise<RenderedItem> =>
  await renderChart(files, { renderer: usual, ...rendering });

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

  // Of the stack of a thread; that of the main thread is smaller, and how deep it reaches depends on what V8 has compiled.
  it("lets a template include itself 500 times", async () => {
    const recursive = '{{ define "r" }}{{ if gt . 0 }}{{ include "r" (sub . 1) }}{{ end }}.{{ end }}';
    const template = configMap('is: "{{ include "r" (int64 500) | len }}"');
    const { manifest } = await render({ "templates/map.yaml": `${recursive}${template}` });
    expect(manifest).toContain('is: "501"');
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
    expect(ticks).toBeGreaterThan(1);
    expect((await render({ "templates/map.yaml": configMap("k: v") }, { renderer })).manifest).toContain("k: v");
  });

  it("all work on the charts of a job has one limit", async () => {
    const renderer = start({ threads: 1, timeoutSeconds: 1 });
    await expect(render({ "templates/keys.txt": manyKeys }, { renderer })).rejects.toThrow("more than 1 s");
    const chart = await packedChart({ "templates/map.yaml": configMap("k: v") });
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

  it("keeps the failure of a chart whose rendering with the other version of Helm exceeds a limit", async () => {
    const failing = '{{ if eq .Capabilities.HelmVersion.Version "v3.22.0" }}{{ fail "no port" }}{{ end }}';
    const renderer = start({ threads: 1, timeoutSeconds: 3 });
    await expect(render({ "templates/keys.txt": `${failing}${manyKeys}` }, { renderer })).rejects.toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringMatching(/no port$/),
      hint: undefined,
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
    await expect(
      usual.perform({ type: "inspect", chart }, { name: "a test", item: itemAt("job"), signal }),
    ).rejects.toMatchObject({
      reason: "InvalidChart",
      message: expect.stringContaining("chart a test: "),
    });
  });
});
