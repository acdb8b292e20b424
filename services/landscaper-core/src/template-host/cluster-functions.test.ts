import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type Installation, type Target } from "@landscaper/api";
import { connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import { startGardenerApi, type GardenerApi, type TestNamespace } from "@landscaper/testkit";
import { installation, spiff, target, type TestBlueprint } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const clusterType = "landscaper.gardener.cloud/kubernetes-cluster";
const setUp = setUpCore();

let gardener: GardenerApi;
beforeAll(async () => {
  gardener = await startGardenerApi();
  gardener.setShoots([{ namespace: "garden-one", name: "shoot", kubeconfig: "of the shoot" }]);
});
afterAll(async () => gardener.stop());

const decode = (base64: unknown): string => Buffer.from(String(base64), "base64").toString("utf8");
const parameter = { name: "cluster", type: "target", targetType: clusterType };
const exported = { name: "result", type: "data", schema: {} };

function clusterTarget(name: string, config: Record<string, unknown>): Target {
  const { spec, ...made } = target(name, config);
  return { ...made, spec: { ...spec, type: clusterType } };
}

/** Installs a blueprint that imports the Target `cluster` and exports `result`; the end of its job. */
async function install(namespace: TestNamespace, blueprint: TestBlueprint): Promise<Installation> {
  const imports = { targets: [{ name: "cluster", target: "cluster" }] };
  const exports = { data: [{ name: "result", dataRef: "result" }] };
  const complete = { imports: [parameter], exports: [exported], ...blueprint };
  await namespace.create(resources.installation, installation({ name: "root", blueprint: complete, imports, exports }));
  const isOver = ({ status }: Installation): boolean => status?.phase === "Succeeded" || status?.phase === "Failed";
  const ended = await namespace.until(resources.installation, "root", (found) => found !== undefined && isOver(found));
  if (ended === undefined) throw new Error("the Installation is gone");
  return ended;
}

async function resultOf(namespace: TestNamespace, blueprint: TestBlueprint): Promise<unknown> {
  const ended = await install(namespace, blueprint);
  expect(ended.status).toMatchObject({ phase: "Succeeded" });
  return (await namespace.get(resources.dataObject, "result")).data;
}

const goExport = (call: string): TestBlueprint => ({ export: `exports: { result: {{ ${call} | toJson }} }\n` });

/** A namespace with a ServiceAccount "robot" and the Target "cluster", whose kubeconfig stands in a Secret. */
async function withServiceAccount(name: string): Promise<TestNamespace> {
  const namespace = await setUp.namespace(name);
  const { kubeconfig } = setUp.cluster.server;
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } };
  await namespace.create(kubeResources.serviceAccount, account);
  const data = { kubeconfig: Buffer.from(kubeconfig).toString("base64") };
  await namespace.create(kubeResources.secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "access" },
    data,
  });
  const made = clusterTarget("cluster", {});
  const spec = { type: clusterType, secretRef: { name: "access", key: "kubeconfig" } };
  await namespace.create(resources.target, { ...made, spec });
  return namespace;
}

describe("functions of templates that ask clusters (core.md §1.2 no. 50, §3.7)", () => {
  const call = (name: string) => `getServiceAccountKubeconfig "robot" "${name}" 3600 .imports.cluster`;

  it("give kubeconfigs of ServiceAccounts, which work", async () => {
    const namespace = await withServiceAccount("account");
    const result = await resultOf(namespace, goExport(call("account")));
    const connection = connectionFromKubeconfig(decode(result));
    expect(connection.server).toBe(connectionFromKubeconfig(setUp.cluster.server.kubeconfig).server);
    const client = createClient({ connection, userAgent: "test" });
    const me = await client.request({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
    });
    await client.close();
    expect(me).toMatchObject({ status: { userInfo: { username: "system:serviceaccount:account:robot" } } });
  });

  it("give them in templates of Spiff, with the end of their life", async () => {
    const namespace = await withServiceAccount("account-spiff");
    const name = "getServiceAccountKubeconfigWithExpirationTimestamp";
    const expression = `(( ${name}("robot", "account-spiff", 3600, imports.cluster) ))`;
    const before = Math.floor(Date.now() / 1000);
    const result = await resultOf(namespace, { exportExecutions: spiff({ exports: { result: expression } }) });
    const { kubeconfig, expirationTimestamp, expirationTimestampReadable } = result as Record<string, unknown>;
    expect(connectionFromKubeconfig(decode(kubeconfig)).token).toMatch(/^ey/);
    const issuedAt = Number(expirationTimestamp) - 3600;
    expect([issuedAt >= before, issuedAt <= Date.now() / 1000]).toEqual([true, true]);
    expect(Date.parse(String(expirationTimestampReadable))).toBe(Number(expirationTimestamp) * 1000);
  });

  it("give admin kubeconfigs of shoots, for the time that is asked for", async () => {
    const namespace = await setUp.namespace("shoot");
    await namespace.create(resources.target, clusterTarget("cluster", { kubeconfig: gardener.kubeconfig }));
    const shootCall = 'getShootAdminKubeconfig "shoot" "garden-one" 600 .imports.cluster';
    expect(decode(await resultOf(namespace, goExport(shootCall)))).toBe("of the shoot");
    const path = "/apis/core.gardener.cloud/v1beta1/namespaces/garden-one/shoots/shoot/adminkubeconfig";
    const asked = gardener.requests.filter((line) => line.startsWith(`POST ${path}`));
    // One template, one job: one request.
    expect(asked.map((line) => line.includes('"expirationSeconds":600'))).toEqual([true]);
  });

  it("give kubeconfigs for a login by OIDC", async () => {
    const namespace = await withServiceAccount("oidc");
    const result = await resultOf(
      namespace,
      goExport('getOidcKubeconfig "https://issuer.test" "client" .imports.cluster'),
    );
    expect(decode(result)).toContain("--oidc-client-id=client");
    expect(decode(result)).not.toContain("token:");
  });

  it("reach the deploy items, and are the same in all of them", async () => {
    const namespace = await withServiceAccount("items");
    const item = (name: string) =>
      `  - { name: ${name}, type: test/item, config: { apiVersion: test/v1, kind: Item, message: {{ ${call("items")} }} } }\n`;
    const deploy = `deployItems:\n${item("a")}${item("b")}`;
    expect(
      (await install(namespace, { exports: [exported], export: "exports: { result: 1 }\n", deploy })).status,
    ).toMatchObject({ phase: "Succeeded" });
    const [a, b] = await namespace.list(resources.deployItem);
    expect(decode(a?.spec.config?.["message"])).toContain("current-context");
    expect(a?.spec.config?.["message"]).toBe(b?.spec.config?.["message"]);
  });

  const failing: readonly (readonly [string, string, string])[] = [
    [
      "an account that is not there",
      'getServiceAccountKubeconfig "nobody" "fails-0" 3600 .imports.cluster',
      'template function getServiceAccountKubeconfig, Target cluster: 404 serviceaccounts "nobody" not found',
    ],
    [
      "what is no Target",
      'getServiceAccountKubeconfig "robot" "fails-1" 3600 (dict "a" 1)',
      "template function getServiceAccountKubeconfig: expected a Target as last argument, found none",
    ],
    [
      "a Target without access data",
      'getOidcKubeconfig "i" "c" (dict "spec" (dict "type" "kubernetes-cluster"))',
      "template function getOidcKubeconfig, Target (unnamed): Target fails-2/(unnamed): spec has neither config nor secretRef",
    ],
  ];
  it.each(failing.map((row, index) => [...row, index] as const))("fail the job with %s", async (...given) => {
    const [, text, message, index] = given;
    const namespace = await withServiceAccount(`fails-${index}`);
    const isTold = (found: Installation | undefined): boolean =>
      found?.status?.lastError?.message.includes(message) === true;
    const blueprint = { imports: [parameter], exports: [exported], ...goExport(text) };
    const imports = { targets: [{ name: "cluster", target: "cluster" }] };
    const exports = { data: [{ name: "result", dataRef: "result" }] };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports, exports }));
    expect(isTold(await namespace.until(resources.installation, "root", isTold))).toBe(true);
  });

  it("are masked in messages", async () => {
    const namespace = await withServiceAccount("masked");
    const ended = await install(namespace, goExport(`fail (${call("masked")})`));
    expect(ended.status?.lastError?.message).toContain("[...]");
    expect(ended.status?.lastError?.message).not.toMatch(/[A-Za-z0-9+/=]{80}/);
  });

  it("reach no Secret of another namespace", async () => {
    const other = await withServiceAccount("not-mine");
    const namespace = await setUp.namespace("mine");
    await namespace.create(resources.target, clusterTarget("cluster", {}));
    const foreign = `(dict "metadata" (dict "name" "x" "namespace" "${other.name}") "spec" (dict "type" "${clusterType}" "secretRef" (dict "name" "access" "key" "kubeconfig")))`;
    const text = `getServiceAccountKubeconfig "robot" "${other.name}" 3600 ${foreign}`;
    const blueprint = { imports: [parameter], exports: [exported], ...goExport(text) };
    const imports = { targets: [{ name: "cluster", target: "cluster" }] };
    const exports = { data: [{ name: "result", dataRef: "result" }] };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports, exports }));
    const message = "Target mine/x: its Secret mine/access does not exist";
    const isTold = (found: Installation | undefined): boolean =>
      found?.status?.lastError?.message.includes(message) === true;
    expect(isTold(await namespace.until(resources.installation, "root", isTold))).toBe(true);
  });
});
