// Operation "plan" of helm items: what a job would change, and nothing changes.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, operations, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { mapChart, useHelmBench, type Config } from "../test/helm-bench.ts";
import { helmSpec, rawChart } from "../test/index.ts";

const bench = useHelmBench();

async function plan(
  config: Config,
): Promise<{ summary: string; heldBack?: string; changes: { type: string; resource: { name: string } }[] }> {
  const key = { namespace: bench.namespace, name: "item" };
  const item = await bench.scope.get("item");
  const spec = { ...item.spec, ...helmSpec(bench.namespace, config) };
  const asking = { ...item.metadata.annotations, [annotations.operation]: operations.plan };
  await bench.fixture.hubClient.update(resources.deployItem, {
    ...item,
    metadata: { ...item.metadata, annotations: asking },
    spec,
  });
  return await waitFor(async () => {
    const now = await bench.fixture.hubClient.get(resources.deployItem, key);
    if (now.metadata.annotations?.[annotations.operation] !== undefined) throw new Error("not answered yet");
    const planned = now.status?.conditions?.find(({ type }) => type === "Planned");
    if (planned?.status !== "True") throw new Error(`no plan: ${planned?.message}`);
    const secret = await bench.fixture.hubClient.get(kubeResources.secret, { ...key, name: "item-plan" });
    return JSON.parse(Buffer.from(secret.data?.["plan.json"] ?? "", "base64").toString());
  });
}

describe.each([true, false])("a plan with helmDeployment %s", (helmDeployment) => {
  it("says what would come, change and go, and nothing does", async () => {
    const old = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: old }\n";
    const chart = await rawChart({ ...mapChart, "templates/old.yaml": old });
    await bench.deploy({ chart, helmDeployment });
    const revisions = await bench.revisions();
    const unchanged = await plan({ chart, helmDeployment, values: {} });
    // The template tells revision and upgrade. A release is not rendered again.
    const rendered = helmDeployment ? [] : ["update app-map"];
    expect(unchanged.changes.map(({ type, resource }) => `${type} ${resource.name}`)).toEqual(rendered);
    const fresh = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: new }\n";
    const next = await rawChart({ ...mapChart, "templates/new.yaml": fresh });
    const { summary, changes } = await plan({ chart: next, helmDeployment, values: { key: "next" } });
    expect(changes.map(({ type, resource }) => `${type} ${resource.name}`).toSorted()).toEqual([
      "create new",
      "delete old",
      "update app-map",
    ]);
    expect(summary).toBe("1 to create, 1 to update, 1 to delete");
    expect([(await bench.data())?.["key"], await bench.data("new"), await bench.revisions()]).toEqual([
      "value",
      undefined,
      revisions,
    ]);
  });
});

describe.each([true, false])("a plan of a job that would be held back, with helmDeployment %s", (helmDeployment) => {
  const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

  it("says why, unless the removal is allowed", async () => {
    await bench.deploy({ chart: await rawChart({ ...mapChart, "templates/claim.yaml": claim }), helmDeployment });
    const next = { chart: await rawChart(mapChart), helmDeployment, values: { key: "next" } };
    const { summary, changes, heldBack } = await plan(next);
    expect(summary).toBe("held back; without the protection: 1 to update, 1 to delete");
    expect(changes).toHaveLength(2);
    expect(heldBack).toContain(`the job would remove PersistentVolumeClaim ${bench.namespace}/data, `);
    await bench.annotate(annotations.allowPrune, "true");
    const allowed = await plan(next);
    expect([allowed.summary, allowed.heldBack]).toEqual(["1 to update, 1 to delete", undefined]);
  });
});

it("a plan of a rollback that would be held back says why", async () => {
  await bench.deploy({ chart: await rawChart(mapChart) });
  const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
  const second = { chart: await rawChart({ ...mapChart, "templates/claim.yaml": claim }) };
  await bench.redeploy(second);
  await bench.annotate(annotations.helmRollbackTo, "1");
  expect((await plan(second)).heldBack).toContain(`PersistentVolumeClaim ${bench.namespace}/data`);
});

it("a plan of an item that becomes a release takes what the item has for its own", async () => {
  const old = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: old }\n";
  await bench.deploy({ chart: await rawChart({ ...mapChart, "templates/old.yaml": old }), helmDeployment: false });
  const { changes } = await plan({ chart: await rawChart(mapChart), values: { key: "next" }, helmDeployment: true });
  expect(changes.map(({ type, resource }) => `${type} ${resource.name}`)).toEqual(["update app-map", "delete old"]);
});

it("a plan knows the kinds that come with the chart", async () => {
  await bench.deploy({ chart: await rawChart(mapChart) });
  const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.plans.example.org }
spec:
  group: plans.example.org
  scope: Namespaced
  names: { kind: Thing, plural: things }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;
  const thing = "apiVersion: plans.example.org/v1\nkind: Thing\nmetadata: { name: thing }\n";
  const chart = await rawChart({ ...mapChart, "crds/things.yaml": crd, "templates/thing.yaml": thing });
  const planOf = async (upgrade: object): Promise<string[]> => {
    const { changes } = await plan({ chart, helmDeploymentConfig: { upgrade } });
    return changes.map(({ type, resource }) => `${type} ${resource.name}`).toSorted();
  };
  const made = await planOf({ crdPolicy: "Create" });
  expect(made).toEqual(["create thing", "create things.plans.example.org", "update app-map"]);
  // As Helm, an upgrade makes no definitions of its own accord.
  expect(await planOf({})).toEqual(["blocked thing", "update app-map"]);
});

it("a plan of an item that is to be rolled back shows the way back", async () => {
  const old = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: old }\n";
  await bench.deploy({ chart: await rawChart({ ...mapChart, "templates/old.yaml": old }) });
  const second = { chart: await rawChart(mapChart), values: { key: "next" } };
  await bench.redeploy(second);
  const revisions = await bench.revisions();
  await bench.annotate(annotations.helmRollbackTo, "1");
  const { changes } = await plan(second);
  expect(changes.map(({ type, resource }) => `${type} ${resource.name}`).toSorted()).toEqual([
    "create old",
    "update app-map",
  ]);
  expect([await bench.revisions(), (await bench.data())?.["key"]]).toEqual([revisions, "next"]);
  await bench.annotate(annotations.helmRollbackTo, "9");
  await bench.annotate(annotations.operation, operations.plan);
  const isRefused = ({ type, message }: { type: string; message: string }): boolean =>
    type === "Planned" && message.includes("there are 1 (superseded), 2 (deployed)");
  await bench.scope.waitFor("item", ({ conditions = [] }) => conditions.some(isRefused));
});

it("a plan shows what the release would be refused", async () => {
  const metadata = { name: "app-map", namespace: bench.namespace };
  await bench.fixture.targetClient.create(kubeResources.configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
  const chart = await rawChart(mapChart);
  await bench.deploy({ chart });
  const { changes } = await plan({ chart });
  expect(changes).toMatchObject([{ type: "blocked", problem: "exists and does not belong to the release" }]);
});

it("a plan tells nothing of what a Secret gives, and what is changed after rendering", async () => {
  const { namespace } = bench;
  const data = { password: Buffer.from("correct-horse").toString("base64") };
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "login", namespace }, data };
  await bench.fixture.hubClient.create(kubeResources.secret, secret);
  const chart = await rawChart(mapChart);
  await bench.deploy({ chart });
  await bench.annotate(annotations.sensitiveConfig, "[]");
  const valuesFrom = [{ kind: "Secret", name: "login", key: "password", targetPath: "key" }];
  const postRender = { commonLabels: { team: "shop" } };
  const { changes } = await plan({ chart, valuesFrom, postRender });
  expect(changes).toMatchObject([
    {
      type: "update",
      resource: { name: "app-map" },
      fields: expect.arrayContaining([
        expect.objectContaining({ path: ".data.key", from: "value", to: "[...]" }),
        expect.objectContaining({ path: ".metadata.labels.team", to: "shop" }),
      ]),
    },
  ]);
  expect(JSON.stringify(changes)).not.toContain("correct-horse");
});

it("a plan tells nothing of what a Secret gave to earlier revisions", async () => {
  const metadata = { name: "login", namespace: bench.namespace };
  const write = async (password: string): Promise<void> => {
    const data = { password: Buffer.from(password).toString("base64") };
    const { hubClient } = bench.fixture;
    const live = await hubClient.find(kubeResources.secret, metadata);
    if (live === undefined)
      await hubClient.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
    else await hubClient.update(kubeResources.secret, { ...live, data });
  };
  const valuesFrom = [{ kind: "Secret", name: "login", key: "password", targetPath: "key" }];
  const template = `${mapChart["templates/map.yaml"]}  color: {{ .Values.color }}\n`;
  const chart = await rawChart({ ...mapChart, "templates/map.yaml": template });
  await write("first-secret");
  await bench.deploy({ chart, valuesFrom, values: { color: "yellow" } });
  await bench.annotate(annotations.sensitiveConfig, "[]");
  await write("second-secret");
  await bench.redeploy({ chart, valuesFrom, values: { color: "orange" } });
  await write("third-secret");
  const next = await plan({ chart, valuesFrom, values: { color: "purple" } });
  const fields = [
    { path: ".data.color", from: "orange", to: "purple" },
    { path: ".data.key", from: "[...]", to: "[...]" },
    { path: ".data.revision", from: "2", to: "3" },
  ];
  expect(next.changes).toMatchObject([{ type: "update", fields }]);
  await bench.annotate(annotations.helmRollbackTo, "1");
  const back = await plan({ chart, valuesFrom, values: { color: "purple" } });
  const former = [
    { path: ".data.color", from: "orange", to: "yellow" },
    { path: ".data.key", from: "[...]", to: "[...]" },
    { path: ".data.revision", from: "2", to: "1" },
    { path: ".data.upgrade", from: "true", to: "false" },
  ];
  expect(back.changes).toMatchObject([{ type: "update", fields: former }]);
  expect(JSON.stringify([next, back])).not.toMatch(/(first|second|third)-secret/);
});

const changeOf = (path: string, from: unknown, to: unknown) => expect.objectContaining({ path, from, to });

it.each([true, false])(
  "a plan with helmDeployment %s tells no value that came from a Secret before, and stands in values now, or nowhere",
  async (helmDeployment) => {
    const data = { password: Buffer.from("first-secret").toString("base64") };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "login", namespace: bench.namespace }, data };
    await bench.fixture.hubClient.create(kubeResources.secret, secret);
    const chart = await rawChart(mapChart);
    const valuesFrom = [{ kind: "Secret", name: "login", key: "password", targetPath: "key" }];
    await bench.deploy({ chart, helmDeployment, valuesFrom });
    await bench.annotate(annotations.sensitiveConfig, "[]");
    const told = await plan({ chart, helmDeployment, values: { key: "first-secret" } });
    const gone = await plan({ chart, helmDeployment, values: { key: "other" } });
    expect(JSON.stringify([told, gone])).not.toContain("first-secret");
    const masked = expect.stringMatching(/^(?:\(masked\)|\[\.\.\.\])$/);
    expect(gone.changes).toMatchObject([{ fields: expect.arrayContaining([changeOf(".data.key", masked, "other")]) }]);
  },
);

it.each([true, false])(
  "a plan with helmDeployment %s of an item of which nobody says what is secret shows no value",
  async (helmDeployment) => {
    const chart = await rawChart(mapChart);
    await bench.deploy({ chart, helmDeployment });
    const { changes } = await plan({ chart, helmDeployment, values: { key: "next" } });
    const masked = "(masked)";
    expect(changes).toMatchObject([{ fields: expect.arrayContaining([changeOf(".data.key", masked, masked)]) }]);
    expect(JSON.stringify(changes)).not.toContain("next");
  },
);

it("a plan tells no value that the core calls secret, or has called so before", async () => {
  const chart = await rawChart(mapChart);
  await bench.deploy({ chart, values: { key: "first-secret" } });
  await bench.annotate(annotations.sensitiveConfig, '["/values/key"]');
  const next = await plan({ chart, values: { key: "second-secret" } });
  await bench.annotate(annotations.sensitiveConfig, "[]");
  await bench.annotate(annotations.formerSensitiveConfig, '["/values/key"]');
  const after = await plan({ chart, values: { key: "plain" } });
  expect(JSON.stringify([next, after])).not.toMatch(/(first|second)-secret/);
  const masked = "[...]";
  expect(next.changes).toMatchObject([{ fields: expect.arrayContaining([changeOf(".data.key", masked, masked)]) }]);
  expect(after.changes).toMatchObject([{ fields: expect.arrayContaining([changeOf(".data.key", masked, "plain")]) }]);
});

it("a plan of server-side apply tells what the first one takes away, and whose fields it may not have", async () => {
  const template = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: app-map }\ndata: { {{ .Values.field }}: "1" }\n';
  const chart = await rawChart({ "values.yaml": "field: a\n", "templates/map.yaml": template });
  await bench.deploy({ chart });
  const updateStrategy = "apply";
  const { changes } = await plan({ chart, updateStrategy, values: { field: "b" } });
  expect(changes).toMatchObject([{ type: "update", fields: [{ path: ".data.a" }, { path: ".data.b" }] }]);
  const key = { namespace: bench.namespace, name: "app-map" };
  const patch = { type: "merge", body: { data: { b: "2" } }, fieldManager: "kubectl-edit" } as const;
  await bench.fixture.targetClient.patch(kubeResources.configMap, key, patch);
  const blocked = await plan({ chart, updateStrategy, values: { field: "b" } });
  expect(blocked.changes).toMatchObject([
    { type: "blocked", problem: `apply ConfigMap ${bench.namespace}/app-map: kubectl-edit manages .data.b` },
  ]);
});
