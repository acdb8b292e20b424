// Operation "plan" and `landscaper diff` with our services (deployers.md §6 B5): what is shown, and that nothing on the target changes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem, ResourceType, UnstructuredObject } from "@landscaper/api";
import { annotations, kubeResources, labels, operations, resources } from "@landscaper/api";
import { waitFor, type ApiProxy, type PassedAnswer, startApiProxy } from "@landscaper/testkit";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  clusterImport,
  deployItems,
  inlineInstallation,
  itemsInstallation,
  manifestItem,
  mockItem,
} from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { createPlanner, plannerGuide, runDiff } from "../src/clients/planner.ts";
import { createSentinel } from "../src/kits/sentinel.ts";
import { subInstallationTemplate } from "../src/installations/sub-installations.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { collectVisibleTexts, findLeaks } from "../src/namespaces/visible-texts.ts";

const ownerLabel = `["${labels.manifestDeployItem}"]`;

function plannedOf(item: DeployItem | undefined) {
  return item?.status?.conditions?.find(({ type }) => type === "Planned");
}

const isAsked = (item: DeployItem | undefined): boolean =>
  item?.metadata.annotations?.[annotations.operation] === operations.plan;

it("the guide to the command has no manifest that nobody runs", () => {
  // The suite admission-webhooks-guide runs the other one.
  expect(plannerGuide.names).toEqual(["diff-rights", "webhook-configuration"]);
});

describe.each(clustersUnderTest())("landscaper diff on %s", (cluster) => {
  let environment: Environment;
  let proxy: ApiProxy;
  let folder: string;
  let passed: PassedAnswer[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "landscaper-diff-"));
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "mock-deployer"],
    });
    const { url, ca, token } = environment.target;
    proxy = await startApiProxy({ upstream: { url, ca }, token, onAnswer: (answer) => void passed.push(answer) });
  });
  afterAll(async () => {
    await environment.stop();
    await proxy.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A scope whose Target leads through the proxy. */
  async function open(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    const target = scope.target("cluster");
    const spec = { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: proxy.kubeconfig } };
    await scope.apply({ ...target, spec });
    return scope;
  }

  function configMap(scope: TestNamespace, name: string, data: object = {}): UnstructuredObject {
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: scope.targetNamespace }, data };
  }

  function root(...items: readonly Record<string, unknown>[]): UnstructuredObject {
    return itemsInstallation(items, { target: "cluster" });
  }

  async function itemOf(scope: TestNamespace, name = "item"): Promise<DeployItem> {
    const item = (await scope.deployItems("root")).get(name);
    if (item === undefined) throw new Error(`there is no item ${name}`);
    return item;
  }

  /** What a job would bring into the item. */
  async function change(
    scope: TestNamespace,
    manifests: readonly UnstructuredObject[],
    more: object = {},
  ): Promise<DeployItem> {
    const { config } = manifestItem({ manifests, config: { ...more } });
    const item = await itemOf(scope);
    const key = { namespace: scope.name, name: item.metadata.name ?? "" };
    return await environment.client.patch(resources.deployItem, key, { type: "merge", body: { spec: { config } } });
  }

  async function ask(scope: TestNamespace): Promise<string> {
    const name = (await itemOf(scope)).metadata.name ?? "";
    const body = { metadata: { annotations: { [annotations.operation]: operations.plan } } };
    await environment.client.patch(resources.deployItem, { namespace: scope.name, name }, { type: "merge", body });
    return name;
  }

  /** Every object of the target's namespace with its version. */
  async function targetState(scope: TestNamespace): Promise<string[]> {
    const { targetNamespace: namespace } = scope;
    const types: readonly ResourceType[] = [
      kubeResources.configMap,
      kubeResources.secret,
      kubeResources.serviceAccount,
    ];
    const lists = await Promise.all(types.map(async (type) => environment.targetClient.list(type, { namespace })));
    const objects = lists.flatMap(({ items }) => items);
    return objects.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`);
  }

  it("shows what would be created, updated, deleted, left and refused, with no secret, and changes nothing", async () => {
    const scope = await open("diff");
    const sentinel = createSentinel();
    const secret = (value: string): UnstructuredObject => {
      const metadata = { name: "login", namespace: scope.targetNamespace };
      return { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", stringData: { user: "admin", value } };
    };
    const stays = configMap(scope, "stays", { a: "1" });
    const before = [
      stays,
      configMap(scope, "changes", { a: "1", b: "1" }),
      configMap(scope, "goes"),
      secret("earlier"),
    ];
    await scope.apply(root(manifestItem({ manifests: before })));
    await scope.waitForPhase("root", "Succeeded");
    const nowhere = {
      ...configMap(scope, "nowhere"),
      metadata: { name: "nowhere", namespace: `${scope.name}-absent` },
    };
    const item = await change(scope, [
      stays,
      configMap(scope, "changes", { a: "2", c: `copy of ${sentinel.value}` }),
      secret(sentinel.value),
      configMap(scope, "new", { copy: sentinel.value }),
      nowhere,
    ]);
    const name = item.metadata.name ?? "";
    const planner = await createPlanner(environment, scope, folder);
    const live = await targetState(scope);
    passed = [];

    const { stdout, stderr, status } = await runDiff(scope, planner, `di/${name}`);
    const place = scope.targetNamespace;
    expect({ stderr, status }).toEqual({ stderr: "", status: 1 });
    expect(stdout).toBe(
      [
        `update ConfigMap ${place}/changes`,
        '  ~ .data.a: "1" -> "2"',
        '  - .data.b: "1"',
        '  + .data.c: "copy of [...]"',
        `update Secret ${place}/login`,
        '  ~ .data.value: "(masked)" -> "(masked)"',
        `create ConfigMap ${place}/new`,
        '  + .data.copy: "[...]"',
        `  + .metadata.labels${ownerLabel}: "${name}"`,
        `blocked ConfigMap ${scope.name}-absent/nowhere: create ConfigMap ${scope.name}-absent/nowhere: namespaces "${scope.name}-absent" not found`,
        `delete ConfigMap ${place}/goes`,
        "1 to create, 2 to update, 1 to delete, 1 blocked, 1 unchanged",
        "",
      ].join("\n"),
    );

    expect(await targetState(scope)).toEqual(live);
    const writes = passed.filter(({ method }) => method !== "GET");
    expect(writes.length).toBeGreaterThanOrEqual(4);
    expect(writes.filter(({ path }) => !/[?&]dryRun=All(&|$)/.test(path))).toEqual([]);

    const json = await runDiff(scope, planner, `di/${name}`, "-o", "json");
    const planned = await scope.get(kubeResources.secret, `${name}-plan`);
    const texts = await collectVisibleTexts(environment, scope);
    texts.push({ where: "the command", text: `${stdout}${json.stdout}` });
    for (const [key, value] of Object.entries(planned.data ?? {})) {
      texts.push({ where: key, text: Buffer.from(value, "base64").toString() });
    }
    expect(findLeaks(texts, sentinel.findIn)).toEqual([]);
    const after = await itemOf(scope);
    const { conditions: _before, ...job } = item.status ?? {};
    const { conditions: _after, ...same } = after.status ?? {};
    expect(same).toEqual(job);
  });

  it("shows what the first job by server-side apply takes away, and what defaults take its place", async () => {
    const scope = await open("to-apply");
    const web = (container: object, spec: object = {}): UnstructuredObject => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: scope.targetNamespace },
      spec: {
        ...spec,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "main", image: "registry.example.test/main:1", ...container }] },
        },
      },
    });
    const env = ["A", "B"].map((name) => ({ name, value: "1" }));
    const former = [configMap(scope, "map", { a: "1", b: "1" }), web({ env }, { replicas: 0, minReadySeconds: 1 })];
    const config = { readinessChecks: { disableDefault: true } };
    await scope.apply(root(manifestItem({ manifests: former, config })));
    await scope.waitForPhase("root", "Succeeded");
    const next = [configMap(scope, "map", { a: "2" }), web({ env: env.slice(1) })];
    const byApply = { ...config, updateStrategy: "apply" };
    const item = await change(scope, next, byApply);
    const { stdout } = await runDiff(
      scope,
      await createPlanner(environment, scope, folder),
      `di/${item.metadata.name}`,
    );
    const place = scope.targetNamespace;
    expect(stdout).toBe(
      [
        `update ConfigMap ${place}/map`,
        '  ~ .data.a: "1" -> "2"',
        '  - .data.b: "1"',
        `update Deployment ${place}/web`,
        "  - .spec.minReadySeconds: 1",
        "  ~ .spec.replicas: 0 -> 1",
        '  - .spec.template.spec.containers[name=main].env[name=A].name: "A"',
        '  - .spec.template.spec.containers[name=main].env[name=A].value: "1"',
        "2 to update",
        "",
      ].join("\n"),
    );
    await scope.apply(root(manifestItem({ manifests: next, config: byApply })));
    await scope.waitForPhase("root", "Succeeded");
    expect((await scope.findOnTarget(kubeResources.configMap, "map"))?.data).toEqual({ a: "2" });
    const live = await scope.findOnTarget(kubeResources.deployment, "web");
    expect(live?.spec).toMatchObject({ replicas: 1, template: { spec: { containers: [{ env: env.slice(1) }] } } });
    expect(live?.spec).not.toHaveProperty("minReadySeconds");
  });

  it("of an Installation goes through its sub-installations, and ends with 0 when nothing would change", async () => {
    const scope = await open("diff-tree");
    const sub = subInstallationTemplate({
      name: "sub",
      blueprint: {
        imports: [clusterImport],
        deployExecutions: deployItems(manifestItem({ manifests: [configMap(scope, "below")] })),
      },
      imports: { targets: [{ name: "cluster", target: "cluster" }] },
    });
    const blueprint = {
      imports: [clusterImport],
      deployExecutions: deployItems(
        manifestItem({ name: "web", manifests: [configMap(scope, "web", { a: "1" })] }),
        mockItem("mock", { export: { a: 1 } }),
      ),
      subinstallations: [sub],
    };
    const imports = { targets: [{ name: "cluster", target: "cluster" }] };
    await scope.apply(inlineInstallation({ name: "root", blueprint, imports }));
    await scope.waitForPhase("root", "Succeeded");
    const planner = await createPlanner(environment, scope, folder);
    const same = await runDiff(scope, planner, "root");
    expect(same).toMatchObject({ stderr: "", status: 0 });
    expect(same.stdout).toMatch(/nothing to do\n[^]*1 unchanged\n[^]*1 unchanged\n$/);

    const { targetClient } = environment;
    const key = { namespace: scope.targetNamespace, name: "web" };
    await targetClient.patch(kubeResources.configMap, key, { type: "merge", body: { data: { a: "edited" } } });
    await targetClient.delete(kubeResources.configMap, { ...key, name: "below" });
    const changed = await runDiff(scope, planner, "inst/root");
    expect(changed).toMatchObject({ stderr: "", status: 1 });
    const [mock = "", web = "", below = ""] = changed.stdout.split("\n\n");
    expect(mock).toMatch(/^# DeployItem mock \(\S+\) of Installation root\nnothing to do$/);
    expect(web).toMatch(
      /^# DeployItem web \(\S+\) of Installation root\nupdate ConfigMap \S+\/web\n {2}~ .data.a: "edited" -> "1"\n1 to update$/,
    );
    expect(below).toMatch(/^# DeployItem item \(\S+\) of Installation sub \(\S+\)\ncreate ConfigMap \S+\/below\n/);
    const { stdout } = await runDiff(scope, planner, "root", "-o", "json");
    const { deployItems: items } = JSON.parse(stdout) as { deployItems: { summary: string; changes: unknown[] }[] };
    expect(items.map(({ summary, changes }) => [summary, changes.length])).toEqual([
      ["nothing to do", 0],
      ["1 to update", 1],
      ["1 to create", 1],
    ]);
  });

  it("a job that comes ends a plan, which is made after it", async () => {
    const scope = await open("diff-job");
    await scope.apply(root(manifestItem({ manifests: [configMap(scope, "a", { x: "1" })] })));
    await scope.waitForPhase("root", "Succeeded");
    const { status: before } = await itemOf(scope);
    const release = proxy.holdAnswers();
    const name = await ask(scope);
    await scope.until(resources.deployItem, name, (item) => plannedOf(item)?.status === "Unknown");
    await scope.trigger("root");
    const working = await scope.until(
      resources.deployItem,
      name,
      (item) => item?.status?.phase === "Progressing" && item.status.jobID !== before?.jobID,
    );
    expect([isAsked(working), plannedOf(working)]).toEqual([true, undefined]);
    release();
    await scope.waitForPhase("root", "Succeeded");
    const after = await scope.until(resources.deployItem, name, (item) => !isAsked(item));
    expect(plannedOf(after)?.message).toBe(`1 unchanged; see Secret ${name}-plan`);
    expect(after?.status?.jobIDFinished).toBe(working?.status?.jobID);
  });

  it("after a job that failed shows what stands in its way", async () => {
    const scope = await open("diff-failed");
    const absent = `${scope.name}-absent`;
    const nowhere = { ...configMap(scope, "nowhere"), metadata: { name: "nowhere", namespace: absent } };
    const manifests = [configMap(scope, "a", { x: "1" }), nowhere];
    await scope.apply(root(manifestItem({ manifests, item: { timeout: "3s" } })));
    await scope.waitForPhase("root", "Failed");
    const before = await itemOf(scope);
    const planner = await createPlanner(environment, scope, folder);
    const { stdout, stderr, status } = await runDiff(scope, planner, `di/${before.metadata.name}`);
    expect({ stdout, stderr, status }).toEqual({
      stdout: `blocked ConfigMap ${absent}/nowhere: create ConfigMap ${absent}/nowhere: namespaces "${absent}" not found\n1 blocked, 1 unchanged\n`,
      stderr: "",
      status: 1,
    });
    const after = await itemOf(scope);
    expect([after.status?.phase, after.status?.lastError]).toEqual(["Failed", before.status?.lastError]);
  });

  it("says why there is no plan, and ends with 2", async () => {
    const scope = await open("diff-none");
    const planner = await createPlanner(environment, scope, folder);
    await scope.apply(root(manifestItem({ manifests: [configMap(scope, "a")] }), mockItem("slow", { delay: "8s" })));
    const slow = await waitFor(async () => {
      const item = (await scope.deployItems("root")).get("slow");
      return item?.status?.phase === "Progressing" ? item.metadata.name : undefined;
    });
    const busy = await runDiff(scope, planner, `di/${slow}`);
    expect(busy).toMatchObject({ stdout: "", status: 2 });
    expect(busy.stderr).toBe(`error: DeployItem ${slow}: has an open job (Progressing), which goes first\n`);
    await scope.waitForPhase("root", "Succeeded");

    const item = await itemOf(scope);
    const name = item.metadata.name ?? "";
    await proxy.goAway();
    const away = await runDiff(scope, planner, `di/${name}`);
    await proxy.comeBack();
    expect(away).toMatchObject({ stdout: "", status: 2 });
    expect(away.stderr).toContain(`error: DeployItem ${name}: `);
    expect(plannedOf(await itemOf(scope))).toMatchObject({ status: "False", reason: "TargetUnreachable" });
    expect((await itemOf(scope)).status?.phase).toBe("Succeeded");
    // A server that did not answer several times in a row rests for some seconds.
    const back = await waitFor(async () => {
      const planned = await runDiff(scope, planner, `di/${name}`);
      return planned.status === 0 ? planned : undefined;
    });
    expect(back).toEqual({ stdout: "1 unchanged\n", stderr: "", status: 0 });

    const spec = { type: "example.org/nobody", config: { apiVersion: "example.org/v1", kind: "Nothing" } };
    const { apiVersion, kind } = item;
    await scope.apply({ apiVersion, kind, metadata: { name: "orphan" }, spec });
    expect(await runDiff(scope, planner, "orphan", "--timeout", "1s")).toEqual({
      stdout: "",
      stderr:
        "error: DeployItem orphan: no deployer has answered within 1s; does one run for type example.org/nobody?\n",
      status: 2,
    });
    expect(isAsked(await scope.get(resources.deployItem, "orphan"))).toBe(false);
    expect(await runDiff(scope, planner, "absent")).toEqual({
      stdout: "",
      stderr: `error: there is no Installation or DeployItem "absent" in namespace "${scope.name}"\n`,
      status: 2,
    });
  });
});
