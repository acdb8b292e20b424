import { afterEach, describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  kubeResources,
  reconcilePolicyOnChange,
  resources,
  type Installation,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { waitFor, type TestNamespace } from "@landscaper/testkit";
import { startTestCore } from "../../test/core.ts";
import {
  dataObject,
  deployItems,
  installation,
  stringParameter,
  target,
  targetParameter,
  template,
  type TestInstallation,
} from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";
import { recordJobs, type JobRecord } from "../../test/record-jobs.ts";

const setUp = setUpCore();
const onChange = { [annotations.reconcilePolicy]: reconcilePolicyOnChange };

let jobs: JobRecord | undefined;
afterEach(async () => {
  setUp.cluster.server.setFault(undefined);
  await jobs?.stop();
  jobs = undefined;
});

async function open(name: string): Promise<{ namespace: TestNamespace; record: JobRecord }> {
  const namespace = await setUp.namespace(name);
  await namespace.until(resources.context, "default", (found) => found !== undefined);
  jobs = await recordJobs(namespace);
  return { namespace, record: jobs };
}

function root(fields: Partial<TestInstallation> = {}): Installation {
  const blueprint = { deploy: deployItems({ name: "item" }) };
  return installation({ name: "root", blueprint, annotations: onChange, ...fields });
}

async function patch<T extends KubeObject>(
  namespace: TestNamespace,
  { type, name }: { readonly type: ResourceType<T>; readonly name: string },
  body: unknown,
): Promise<void> {
  await namespace.client.patch(type, { namespace: namespace.name, name }, { type: "merge", body });
}

const setData = (namespace: TestNamespace, name: string, data: unknown) =>
  patch(namespace, { type: resources.dataObject, name }, { data });

function secret(name: string, text: string) {
  const data = { key: Buffer.from(text).toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, data };
}

/** Waits until the core has read a Secret of the namespace once more, to see whether it has changed. */
async function untilLookedAt(namespace: TestNamespace, change: () => Promise<unknown>): Promise<void> {
  let reads = 0;
  setUp.cluster.server.setFault(({ verb, resource, namespace: of, userAgent }) => {
    if (verb === "get" && resource === "secrets" && of === namespace.name && userAgent.startsWith("core")) reads += 1;
    return undefined;
  });
  await change();
  await waitFor(async () => reads > 0);
}

/** Another Installation shows that the core has come past what it was doing. */
async function pass(namespace: TestNamespace, marker: string): Promise<void> {
  await namespace.create(resources.installation, installation({ name: marker, blueprint: {} }));
  await namespace.untilPhase(marker, "Succeeded");
}

describe("an Installation with the policy on-change", () => {
  it("starts by itself, and again when its spec or the value of any import changes", async () => {
    const { namespace, record } = await open("sources");
    const value = (text: string) => ({ data: { key: Buffer.from(text).toString("base64") } });
    await namespace.create(resources.dataObject, dataObject("data", "one"));
    await namespace.create(kubeResources.secret, secret("secret", "one"));
    await namespace.create(kubeResources.secret, secret("access", "one"));
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "config" }, data: { key: "one" } };
    await namespace.create(kubeResources.configMap, configMap);
    await namespace.create(resources.target, target("inline", { url: "one" }));
    const spec = { type: "landscaper.gardener.cloud/mock", secretRef: { name: "access", key: "key" } };
    await namespace.create(resources.target, { apiVersion, kind: "Target", metadata: { name: "by-secret" }, spec });
    const names = ["data", "secret", "config"];
    const blueprint = {
      imports: [...names.map(stringParameter), targetParameter("inline"), targetParameter("by-secret")],
      deploy: deployItems({ name: "item" }),
    };
    const imports = {
      data: [
        { name: "data", dataRef: "data" },
        { name: "secret", secretRef: { name: "secret", key: "key" } },
        { name: "config", configMapRef: { name: "config", key: "key" } },
      ],
      targets: [
        { name: "inline", target: "inline" },
        { name: "by-secret", target: "by-secret" },
      ],
    };
    await namespace.create(resources.installation, root({ blueprint, imports }));
    await record.untilEnded("root", 1);
    const changes: readonly (() => Promise<void>)[] = [
      () => setData(namespace, "data", "two"),
      () => patch(namespace, { type: kubeResources.secret, name: "secret" }, value("two")),
      () => patch(namespace, { type: kubeResources.configMap, name: "config" }, { data: { key: "two" } }),
      () => patch(namespace, { type: resources.target, name: "inline" }, { spec: { config: { url: "two" } } }),
      () => patch(namespace, { type: kubeResources.secret, name: "access" }, value("two")),
      () =>
        patch(
          namespace,
          { type: resources.installation, name: "root" },
          { spec: { optimization: { hasNoSiblingImports: true } } },
        ),
    ];
    for (const [index, change] of changes.entries()) {
      await change();
      expect(await record.untilEnded("root", index + 2)).toHaveLength(index + 2);
    }
    await untilLookedAt(namespace, () =>
      patch(namespace, { type: resources.dataObject, name: "data" }, { metadata: { labels: { a: "b" } } }),
    );
    await pass(namespace, "marker");
    expect(record.endsOf("root")).toEqual(Array.from({ length: 7 }, () => "Succeeded"));
    const { metadata } = await namespace.get(resources.installation, "root");
    expect(metadata.annotations).toEqual(onChange);
  });

  it("makes one job of a burst of changes, and none of the same value", async () => {
    const { namespace, record } = await open("burst");
    await namespace.create(resources.dataObject, dataObject("data", "0"));
    await namespace.create(kubeResources.secret, secret("secret", "x"));
    const blueprint = { imports: ["data", "secret"].map(stringParameter), deploy: deployItems({ name: "item" }) };
    const imports = {
      data: [
        { name: "data", dataRef: "data" },
        { name: "secret", secretRef: { name: "secret", key: "key" } },
      ],
    };
    await namespace.create(resources.installation, root({ blueprint, imports }));
    await record.untilEnded("root", 1);
    for (let count = 1; count <= 20; count += 1) await setData(namespace, "data", String(count));
    await record.untilEnded("root", 2);
    await untilLookedAt(namespace, async () => {
      await namespace.delete(resources.dataObject, "data");
      await namespace.create(resources.dataObject, dataObject("data", "20"));
    });
    await pass(namespace, "marker");
    expect(record.endsOf("root")).toEqual(["Succeeded", "Succeeded"]);
  });

  it("fails once without an import, and succeeds when it comes", async () => {
    const { namespace, record } = await open("missing");
    await namespace.create(kubeResources.secret, secret("secret", "x"));
    const blueprint = { imports: ["data", "secret"].map(stringParameter), deploy: deployItems({ name: "item" }) };
    const imports = {
      data: [
        { name: "data", dataRef: "data" },
        { name: "secret", secretRef: { name: "secret", key: "key" } },
      ],
    };
    await untilLookedAt(namespace, () => namespace.create(resources.installation, root({ blueprint, imports })));
    await record.untilEnded("root", 1);
    await untilLookedAt(namespace, () =>
      patch(namespace, { type: kubeResources.secret, name: "secret" }, { metadata: { labels: { a: "b" } } }),
    );
    await pass(namespace, "marker");
    expect(record.endsOf("root")).toEqual(["Failed"]);
    await namespace.create(resources.dataObject, dataObject("data", "here"));
    expect(await record.untilEnded("root", 2)).toEqual(["Failed", "Succeeded"]);
  });

  it("starts again when an import has changed while its job ran", async () => {
    const { namespace, record } = await open("during-job");
    await namespace.create(resources.dataObject, dataObject("data", "Hang"));
    const blueprint = {
      imports: [stringParameter("data")],
      deploy: deployItems({ name: "item" }).replace("kind: Item", "kind: Item\n      result: '{{ .imports.data }}'"),
    };
    const imports = { data: [{ name: "data", dataRef: "data" }] };
    await namespace.create(resources.installation, root({ blueprint, imports }));
    await namespace.untilWorking("root");
    await setData(namespace, "data", "Succeeded");
    await namespace.annotate(resources.installation, "root", { [annotations.operation]: "interrupt" });
    expect(await record.untilEnded("root", 2)).toEqual(["Failed", "Succeeded"]);
  });

  it("repairs sub-objects that somebody has changed or deleted", async () => {
    const { namespace, record } = await open("edited");
    const child = { deploy: deployItems({ name: "inner" }) };
    const blueprint = {
      deploy: deployItems({ name: "outer" }),
      subinstallations: [template({ name: "child", blueprint: child })],
    };
    await namespace.create(resources.installation, root({ blueprint }));
    await record.untilEnded("root", 1);
    const nested = (await namespace.list(resources.installation)).find(({ metadata }) => metadata.name !== "root");
    const name = nested?.metadata.name ?? "";
    const wanted = {
      outer: (await namespace.get(resources.execution, "root")).spec,
      inner: (await namespace.get(resources.execution, name)).spec,
      nested: nested?.spec,
    };
    const edits: readonly (() => Promise<void>)[] = [
      () => patch(namespace, { type: resources.execution, name: "root" }, { spec: { context: "other" } }),
      () => patch(namespace, { type: resources.execution, name }, { spec: { context: "other" } }),
      () => patch(namespace, { type: resources.installation, name }, { spec: { context: "other" } }),
    ];
    for (const [index, edit] of edits.entries()) {
      await edit();
      await record.untilEnded("root", index + 2);
      expect({
        outer: (await namespace.get(resources.execution, "root")).spec,
        inner: (await namespace.get(resources.execution, name)).spec,
        nested: (await namespace.get(resources.installation, name)).spec,
      }).toEqual(wanted);
    }
    expect(record.endsOf("root")).toEqual(["Succeeded", "Succeeded", "Succeeded", "Succeeded"]);
  });

  it("sees what has changed while the core was away", async () => {
    const { namespace, record } = await open("away");
    await namespace.create(resources.dataObject, dataObject("data", "one"));
    const blueprint = { imports: [stringParameter("data")], deploy: deployItems({ name: "item" }) };
    const imports = { data: [{ name: "data", dataRef: "data" }] };
    await namespace.create(resources.installation, root({ blueprint, imports }));
    await record.untilEnded("root", 1);
    await setUp.core.stop();
    await setData(namespace, "data", "two");
    const core = startTestCore(setUp.cluster.connect("core-2"));
    try {
      expect(await record.untilEnded("root", 2)).toEqual(["Succeeded", "Succeeded"]);
    } finally {
      await core.stop();
    }
  });
});
