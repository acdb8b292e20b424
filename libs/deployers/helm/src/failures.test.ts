// What goes wrong: sources of charts, charts, targets, hooks; and how a job gets over it.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { annotations, conditionTypes, kubeResources, resources, type DeployItemStatus } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { mapChart, useHelmBench } from "../test/helm-bench.ts";
import { helmSpec, packChart, rawChart, startChartServer, type ChartServer } from "../test/index.ts";

const bench = useHelmBench();
const servers: ChartServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function serve(basic?: string): Promise<ChartServer> {
  const server = await startChartServer(await packChart(mapChart), basic === undefined ? {} : { basic });
  servers.push(server);
  return server;
}

async function createSecret(name: string, data: Readonly<Record<string, string>>): Promise<void> {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  const metadata = { name, namespace: bench.namespace };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, data: Object.fromEntries(encoded) };
  await bench.fixture.hubClient.create(kubeResources.secret, secret);
}

async function createContext(fields: object): Promise<void> {
  const metadata = { name: "default", namespace: bench.namespace };
  const context = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "Context", metadata, ...fields };
  await bench.fixture.hubClient.create(resources.context, context);
}

function pullSecret(host: string): string {
  const auth = Buffer.from("me:hunter2").toString("base64");
  return JSON.stringify({ auths: { [host]: { auth } } });
}

function hasError({ lastError }: DeployItemStatus): boolean {
  return lastError !== undefined;
}

it("a server of charts that never answers is named at the end of the job", async () => {
  const silent = createServer(() => {});
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo; // of a TCP server
  const asked = once(silent, "request");
  try {
    const deploying = bench.scope.create({
      name: "item",
      spec: helmSpec(bench.namespace, { chart: { ref: `http://127.0.0.1:${port}/charts/app:1.0.0` } }),
    });
    await Promise.all([deploying, asked]);
    expect((await bench.timeOut()).status?.lastError?.message).toMatch(
      new RegExp(`^timeout at: "an answer for chart\\.ref of 127\\.0\\.0\\.1:${port}"; `),
    );
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

describe("a private registry", () => {
  it("is read with the pull secret of the Context (A6)", async () => {
    const { host } = await serve("me:hunter2");
    await createSecret("pull", { ".dockerconfigjson": pullSecret(host) });
    await createContext({ registryPullSecrets: [{ name: "pull" }] });
    const done = await bench.deploy({ chart: { ref: `http://${host}/charts/app:1.0.0` } });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect(await bench.data()).toMatchObject({ key: "value" });
    expect(JSON.stringify(done)).not.toContain("hunter2");
    expect(done.status?.providerStatus).toMatchObject({
      chart: { name: "app", version: "1.0.0", digest: expect.stringMatching(/^sha256:/) },
    });
  });

  it("is refused without one, and nothing of the credentials of others is told (A6)", async () => {
    const server = await serve("me:hunter2");
    const { host } = server;
    await createSecret("pull", { ".dockerconfigjson": pullSecret("registry.example.org") });
    await createContext({ registryPullSecrets: [{ name: "pull" }] });
    const done = await bench.deployInVain({ chart: { ref: `http://${host}/charts/app:1.0.0` } });
    expect(done.status).toMatchObject({ phase: "Failed", lastError: { message: expect.stringContaining(host) } });
    expect(JSON.stringify(done)).not.toContain("hunter2");
    expect(new Set(server.authorizations)).toEqual(new Set([""]));
  });

  it("is read with what can be used of the Context; what is passed over is told, without its content", async () => {
    const { host } = await serve("me:hunter2");
    const odd = { auths: { "hunter2 hunter2": {}, [host]: { auth: Buffer.from("me:hunter2").toString("base64") } } };
    await createSecret("pull", { ".dockerconfigjson": JSON.stringify(odd) });
    await createSecret("other", { token: "hunter2" });
    await createSecret("ocm", { ".ocmcredentialconfig": "type: hunter2" });
    await createContext({ registryPullSecrets: [{ name: "pull" }, { name: "other" }, {}, { name: "ocm" }] });
    const done = await bench.deploy({ chart: { ref: `http://${host}/charts/app:1.0.0` } });
    const warnings = done.status?.conditions?.find(({ type }) => type === conditionTypes.warnings);
    expect([done.status?.phase, warnings?.reason, warnings?.message]).toEqual([
      "Succeeded",
      "WithoutEffect",
      [
        "Secret pull: .dockerconfigjson: auths: a key is no host and no URL; it is passed over",
        "Secret other: has none of the keys .dockerconfigjson, .dockercfg and .ocmcredentialconfig; it is passed over",
        "Context default: registryPullSecrets[2]: has no name; it is passed over",
        "Secret ocm: .ocmcredentialconfig: type: expected credentials.config.ocm.software, found another one; it is passed over",
      ].join("; "),
    ]);
    expect(JSON.stringify(done)).not.toContain("hunter2");
  });

  it("waits for a pull secret that is not there yet", async () => {
    const { host } = await serve("me:hunter2");
    await createContext({ registryPullSecrets: [{ name: "pull" }] });
    await bench.create({ chart: { ref: `http://${host}/charts/app:1.0.0` } });
    const trying = await bench.scope.waitFor("item", hasError);
    expect(trying.status?.lastError).toMatchObject({
      reason: "ChartCredentialsMissing",
      message: "Secret pull, which the Context names, does not exist",
    });
    await createSecret("pull", { ".dockercfg": JSON.stringify({ [host]: { username: "me", password: "hunter2" } }) });
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });
});

describe("a private repository", () => {
  const header = `Basic ${Buffer.from("me:hunter2").toString("base64")}`;

  it.each([
    ["a header", (url: string) => ({ url, authHeader: header })],
    ["a Secret", (url: string) => ({ url, secretRef: { name: "repository" } })],
  ])("is read with %s of the Context", async (_, auth) => {
    const { host } = await serve("me:hunter2");
    const url = `http://${host}/repo`;
    await createSecret("repository", { authHeader: header });
    await createContext({ configurations: { helmChartRepoCredentials: { auths: [auth(url)] } } });
    const chart = { helmChartRepo: { helmChartRepoUrl: url, helmChartName: "app", helmChartVersion: "^1.0.0" } };
    const done = await bench.deploy({ chart });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect(JSON.stringify(done)).not.toContain("hunter2");
  });
});

describe("the credentials of repositories in a Context", () => {
  it.each([
    [{ auth: [] }, 'unknown field "auth", did you mean "auths"?'],
    [
      { auths: [{ url: "https://a.org", authHeadr: "x" }] },
      'unknown field "auths[0].authHeadr", did you mean "authHeader"?',
    ],
    ["auths", "expected an object with auths; it is passed over"],
  ])("tell that %j is passed over", async (helmChartRepoCredentials, told) => {
    await createContext({ configurations: { helmChartRepoCredentials } });
    const done = await bench.deploy({ chart: await rawChart(mapChart) });
    const warnings = done.status?.conditions?.find(({ type }) => type === conditionTypes.warnings);
    expect(warnings?.message).toBe(`Context default: configurations.helmChartRepoCredentials: ${told}`);
  });
});

describe("a chart", () => {
  it("that is fetched without a Context tells so", async () => {
    const { host } = await serve();
    const done = await bench.deploy({ chart: { ref: `http://${host}/charts/app:1.0.0` } });
    const warnings = done.status?.conditions?.find(({ type }) => type === conditionTypes.warnings);
    expect([done.status?.phase, warnings?.reason, warnings?.message]).toEqual([
      "Succeeded",
      "ContextMissing",
      "Context default does not exist: the chart is fetched without credentials of its own",
    ]);
    await createContext({});
    const again = await bench.redeploy({ chart: { ref: `http://${host}/charts/app:1.0.0` } });
    expect(again.status?.conditions?.map(({ type }) => type)).not.toContain(conditionTypes.warnings);
  });

  it("that the annotation asks to cache is cached as always; the item tells so", async () => {
    await bench.create({ chart: await rawChart(mapChart) });
    await bench.scope.waitForEnd("item");
    await bench.annotate(annotations.cacheHelmCharts, "true");
    const done = await bench.redeploy({ chart: await rawChart(mapChart) });
    expect(done.status?.conditions?.find(({ type }) => type === conditionTypes.warnings)?.message).toBe(
      "annotation landscaper.gardener.cloud/cache-helm-charts has no effect: the helm deployer keeps charts by their digest in any case, and asks for the digest in every job",
    );
  });

  it("that does not exist is tried until its time is up; interrupted and corrected it works (A19)", async () => {
    const { host } = await serve();
    const absent = { chart: { ref: `http://${host}/charts/app:9.9.9` } };
    const late = await bench.deployInVain(absent);
    expect(late.status).toMatchObject({
      phase: "Failed",
      lastError: { codes: ["ERR_TIMEOUT"], message: expect.stringContaining("9.9.9") },
    });
    await bench.scope.trigger("item");
    await bench.scope.waitFor("item", (status) => status.phase === "Progressing" && hasError(status));
    await bench.scope.interrupt("item");
    const done = await bench.redeploy({ chart: { ref: `http://${host}/charts/app:1.0.0` } });
    expect([done.status?.phase, await bench.revisions()]).toEqual(["Succeeded", ["app.v1 deployed"]]);
  });

  const chartYaml = "apiVersion: v2\nname: app\nversion: 1.0.0\n";
  it.each([
    {
      what: "whose template fails",
      files: { "templates/a.yaml": 'a: {{ fail "no way" }}\n' },
      reason: "ChartRenderingFailed",
      message: "app/templates/a.yaml:1:6",
    },
    {
      what: "that makes no manifest",
      files: { "templates/a.yaml": "a: b: c\n" },
      reason: "ChartRenderingFailed",
      message: "app/templates/a.yaml",
    },
    {
      what: "that is a library",
      files: { "Chart.yaml": `${chartYaml}type: library\n` },
      reason: "InvalidChart",
      message: "library charts are not installable",
    },
    {
      what: "without its dependency",
      files: { "Chart.yaml": `${chartYaml}dependencies: [{ name: sub, version: 1.x }]\n` },
      reason: "InvalidChart",
      message: "sub",
    },
  ])("$what fails at once", async ({ files, reason, message }) => {
    const done = await bench.deploy({ chart: await rawChart(files) });
    const lastError = { reason, message: expect.stringContaining(message) };
    expect(done.status).toMatchObject({ phase: "Failed", lastError });
    expect(await bench.revisions()).toEqual([]);
  });
});

describe("a revision", () => {
  it("that the target refuses is tried again under its number", async () => {
    let refusals = 0;
    bench.fixture.target.setFault(({ verb, resource }) => {
      if (verb !== "create" || resource !== "configmaps" || refusals >= 2) return undefined;
      refusals++;
      return { status: 403 };
    });
    const done = await bench.deploy({ chart: await rawChart(mapChart) });
    expect([done.status?.phase, refusals, await bench.revisions()]).toEqual(["Succeeded", 2, ["app.v1 deployed"]]);
    expect(await bench.data()).toEqual({ key: "value", upgrade: "false", revision: "1" });
  });

  it("that fails is undone where that is wanted, and not tried again", async () => {
    const broken = { ...mapChart, "templates/z.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: UPPER }\n" };
    await bench.deploy({ chart: await rawChart(mapChart) });
    const upgrade = { atomic: true };
    const done = await bench.redeploy({ chart: await rawChart(broken), helmDeploymentConfig: { upgrade } });
    expect(done.status?.phase).toBe("Failed");
    expect(done.status?.lastError?.message).toContain("the release was rolled back to revision 1");
    expect(await bench.revisions()).toEqual(["app.v1 superseded", "app.v2 failed", "app.v3 deployed"]);
  });

  const hook = `apiVersion: batch/v1
kind: Job
metadata: { name: before, annotations: { helm.sh/hook: pre-install } }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: registry.example.org/c }] } } }
`;

  it.each(["interrupted", "late"])(
    "whose hook does not end, %s, is recorded, and put right by the next job",
    async (how) => {
      const chart = await rawChart({ ...mapChart, "templates/hook.yaml": hook });
      await bench.create({ chart });
      const isAtHook = ({ conditions = [] }: DeployItemStatus): boolean =>
        conditions.some(({ message }) => message.includes("pre-install hook Job"));
      await bench.scope.waitFor("item", isAtHook);
      if (how === "interrupted") await bench.scope.interrupt("item");
      const ended = how === "late" ? await bench.timeOut() : await bench.scope.waitForEnd("item");
      expect(ended.status?.phase).toBe("Failed");
      if (how === "late") expect(ended.status?.lastError?.message).toContain("pre-install hook Job");
      else await waitFor(async () => (await bench.revisions()).includes("app.v1 failed"));
      expect(await bench.revisions()).toEqual(["app.v1 failed"]);
      const why = how === "late" ? "timeout at: " : "the job was ended from outside at: ";
      expect(await bench.descriptionOf(1)).toMatch(new RegExp(`^Release "app" failed: ${why}"pre-install hook Job`));
      const done = await bench.redeploy({ chart: await rawChart(mapChart) });
      expect([done.status?.phase, (await bench.data())?.["key"]]).toEqual(["Succeeded", "value"]);
      await bench.remove();
      expect(await bench.revisions()).toEqual([]);
    },
  );
});

it.each([true, false])(
  "an object that the target refuses is named without its values, helmDeployment %s",
  async (helmDeployment) => {
    const secret =
      "apiVersion: v1\nkind: Secret\nmetadata: { name: s }\ndata: { password: {{ .Values.password | quote }} }\n";
    const chart = await rawChart({ "templates/secret.yaml": secret });
    const done = await bench.deployInVain({ chart, helmDeployment, values: { password: "!hunter2!" } });
    expect(done.status?.phase).toBe("Failed");
    expect(done.status?.lastError?.message).toContain(`Secret ${bench.namespace}/s`);
    expect(JSON.stringify(done.status)).not.toContain("hunter2");
  },
);

describe("a deletion", () => {
  it("needs neither chart nor a configuration that can be read", async () => {
    const server = await serve();
    await bench.deploy({ chart: { ref: `http://${server.host}/charts/app:1.0.0` } });
    await server.stop();
    servers.splice(0);
    await bench.redeploy({ chart: {}, values: "none" });
    await bench.remove();
    expect([await bench.data(), await bench.revisions()]).toEqual([undefined, []]);
  });

  it("of a release that somebody has uninstalled is done", async () => {
    await bench.deploy({ chart: await rawChart(mapChart) });
    const key = { namespace: bench.namespace, name: "sh.helm.release.v1.app.v1" };
    await bench.fixture.targetClient.delete(kubeResources.secret, key);
    await bench.remove();
    expect(await bench.data()).toBeDefined();
  });

  it("of an item that the original has deployed finds the release by the configuration", async () => {
    await bench.deploy({ chart: await rawChart(mapChart) });
    const item = await bench.scope.get("item");
    const providerStatus = { apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderStatus" };
    await bench.fixture.hubClient.updateStatus(resources.deployItem, {
      ...item,
      status: { ...item.status, providerStatus },
    });
    await bench.remove();
    expect([await bench.data(), await bench.revisions()]).toEqual([undefined, []]);
  });
});

describe("a value that the target refuses", () => {
  const template =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: app-map, labels: { a: "{{ .Values.a }}", b: "{{ upper .Values.b }}" } }\n';
  const refused = (value: string): string => `metadata.labels: Invalid value: ${value}: a valid label must be`;
  const values = { a: "plain value!", b: "c" };

  async function refusalOf(labels: object, sensitive: string | undefined, helmDeployment: boolean): Promise<string> {
    const chart = await rawChart({ "values.yaml": "{}\n", "templates/map.yaml": template });
    const known = sensitive === undefined ? {} : { [annotations.sensitiveConfig]: sensitive };
    const spec = helmSpec(bench.namespace, { chart, helmDeployment, values: { ...values, ...labels } });
    await bench.scope.create({ name: "item", spec, annotations: known });
    const { status } = await bench.scope.waitFor("item", hasError);
    return status?.lastError?.message ?? "";
  }

  describe.each([true, false])("with helmDeployment %s", (helmDeployment) => {
    it("is named where nothing of the item is secret", async () => {
      expect(await refusalOf({}, "[]", helmDeployment)).toContain(refused('"plain value!"'));
    });

    it("is not named where the chart may have made it of a secret", async () => {
      const message = await refusalOf({ a: "c", b: "hidden value!" }, '["/values/b"]', helmDeployment);
      expect(message).toContain(refused("[...]"));
      expect(message).not.toContain("HIDDEN");
    });

    it("is not named where nobody says what is secret", async () => {
      expect(await refusalOf({}, undefined, helmDeployment)).toContain(refused("[...]"));
    });
  });
});
