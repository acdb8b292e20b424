// The annotation that keeps a release at a stored revision, on the embedded server.
import { describe, expect, it } from "@jest/globals";
import { annotations, conditionTypes, kubeResources, type DeployItem, type KubeObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { mapChart, useHelmBench, type Config } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

// Names from secrets are accepted, so that the tests can show that messages mask them.
const bench = useHelmBench({ allowSecretNames: true });
const old = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: old }\ndata: { key: old }\n";
const first: Config = { chart: await rawChart({ ...mapChart, "templates/old.yaml": old }) };
const second: Config = { chart: await rawChart(mapChart, { version: "2.0.0" }), values: { key: "second" } };
const key = annotations.helmRollbackTo;

/** A job of the item as it is. */
async function again(): Promise<DeployItem> {
  await bench.scope.trigger("item");
  return await bench.scope.waitForEnd("item");
}

async function twoRevisions(more: Config = {}): Promise<void> {
  await bench.deploy({ ...first, ...more });
  await bench.redeploy({ ...second, ...more });
  expect(await bench.revisions()).toEqual(["app.v1 superseded", "app.v2 deployed"]);
}

function rolledBack({ status }: DeployItem): string | undefined {
  const condition = status?.conditions?.find(({ type }) => type === conditionTypes.rolledBack);
  return condition && `${condition.status} ${condition.reason}: ${condition.message}`;
}

describe("an annotation", () => {
  it("takes the release back with what is stored, keeps it there, and lets it go", async () => {
    const valueExports = {
      exports: {
        exports: [
          { key: "key", jsonPath: ".Values.key" },
          { key: "version", jsonPath: ".Chart.Version" },
        ],
      },
    };
    await twoRevisions(valueExports);
    expect([await bench.data("old"), await bench.exports()]).toEqual([undefined, { key: "second", version: "2.0.0" }]);
    await bench.annotate(key, "1");
    const back = await again();
    expect([back.status?.phase, back.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    const revisions = ["app.v1 superseded", "app.v2 superseded", "app.v3 deployed"];
    expect([await bench.revisions(), await bench.descriptionOf(3)]).toEqual([revisions, "Rollback to 1"]);
    // The stored manifest, not a new rendering of its chart.
    expect(await bench.data()).toEqual({ key: "value", upgrade: "false", revision: "1" });
    expect([await bench.data("old"), await bench.exports()]).toEqual([
      { key: "old" },
      { key: "value", version: "1.0.0" },
    ]);
    expect(rolledBack(back)).toBe(
      `True RollbackRequested: the release is at revision 1, as revision 3, while the annotation ${key} stands`,
    );
    expect(back.status?.providerStatus).toMatchObject({ rolledBack: { to: 1 }, release: { revision: 3 } });
    expect(back.status?.providerStatus).not.toHaveProperty("chart");

    expect(rolledBack(await again())).toBe(rolledBack(back));
    // Nor does a change of the configuration.
    expect((await bench.redeploy({ ...second, values: { key: "third" } })).status?.phase).toBe("Succeeded");
    expect(await bench.revisions()).toEqual(revisions);

    await bench.annotate(key, undefined);
    const forward = await again();
    expect([await bench.revisions(), (await bench.data())?.["key"]]).toEqual([
      ["app.v1 superseded", "app.v2 superseded", "app.v3 superseded", "app.v4 deployed"],
      "third",
    ]);
    expect(rolledBack(forward)).toBe("False ConfigurationDeployed: the release is as it is configured");
    expect(forward.status?.providerStatus).not.toHaveProperty("rolledBack");
    expect(forward.status?.providerStatus).toMatchObject({ chart: { version: "2.0.0" }, release: { revision: 4 } });
  });

  it("needs neither chart nor values", async () => {
    await twoRevisions();
    await bench.annotate(key, "1");
    const valuesFrom = [{ kind: "Secret", name: "absent" }];
    const done = await bench.redeploy({ chart: { ref: "127.0.0.1:9/charts/app:1.0.0" }, valuesFrom });
    expect([done.status?.phase, (await bench.data())?.["key"]]).toEqual(["Succeeded", "value"]);
  });

  it("with the revision that is deployed makes no other one, nor does its removal", async () => {
    await twoRevisions();
    await bench.annotate(key, "2");
    expect(rolledBack(await again())).toContain("the release is at revision 2, while");
    await bench.annotate(key, undefined);
    expect(rolledBack(await again())).toContain("False");
    expect(await bench.revisions()).toEqual(["app.v1 superseded", "app.v2 deployed"]);
  });

  it("re-creates a removed object, without a new revision", async () => {
    const readinessChecks = { level: "kstatus" };
    await twoRevisions({ readinessChecks });
    await bench.annotate(key, "1");
    await again();
    await bench.fixture.targetClient.delete(
      { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true },
      { namespace: bench.namespace, name: "old" },
    );
    expect((await again()).status?.phase).toBe("Succeeded");
    expect([await bench.data("old"), (await bench.revisions()).at(-1)]).toEqual([{ key: "old" }, "app.v3 deployed"]);
  });

  it("is heard by an item that is updateOnChangeOnly", async () => {
    await twoRevisions();
    await bench.scope.trigger("item", { updateOnChangeOnly: true });
    await bench.scope.waitForEnd("item");
    await bench.annotate(key, "1");
    await again();
    expect((await bench.data())?.["key"]).toBe("value");
    await again();
    await bench.annotate(key, undefined);
    await again();
    expect((await bench.data())?.["key"]).toBe("second");
    expect(await bench.revisions()).toHaveLength(4);
  });

  it.each(["7", "latest"])("with %s is refused, and says what there is", async (value) => {
    await twoRevisions();
    await bench.annotate(key, value);
    const { status } = await again();
    expect(status).toMatchObject({ phase: "Failed", lastError: { reason: "InvalidRollback" } });
    expect(status?.lastError?.message).toContain(
      `annotation ${key}: expected a revision of the release, found "${value}"; there are 1 (superseded), 2 (deployed)`,
    );
    expect(await bench.revisions()).toEqual(["app.v1 superseded", "app.v2 deployed"]);
  });

  it("is refused for an item of manifests", async () => {
    await bench.deploy({ ...first, helmDeployment: false });
    await bench.annotate(key, "1");
    const { status } = await again();
    expect(status?.phase).toBe("Failed");
    expect(status?.lastError?.message).toContain("there are none: helmDeployment is false");
  });
});

const valuesFrom = [{ kind: "Secret", name: "login", key: "key", targetPath: "key" }];

/** Plays the controller of Deployments: the last change of one without replicas is carried out. */
async function observeDeployment(name: string): Promise<void> {
  const type = { group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true };
  const live = await waitFor(() => bench.find<KubeObject>(type, name));
  const key = { namespace: bench.namespace, name };
  const body = { status: { observedGeneration: live.metadata.generation } };
  await bench.fixture.targetClient.patch(type, key, { type: "merge", subresource: "status", body });
}

/** The first revision has an object that is named by the password of that time, which is nowhere any more. */
async function twoRevisionsByPassword(password: string, template: string): Promise<void> {
  const metadata = { name: "login", namespace: bench.namespace };
  const { hubClient } = bench.fixture;
  const data = { key: Buffer.from(password).toString("base64") };
  await hubClient.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
  await bench.create({ chart: await rawChart({ ...mapChart, "templates/named.yaml": template }), valuesFrom });
  if (template.includes("kind: Deployment")) await observeDeployment(`${password}-web`);
  expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  await bench.redeploy({ ...second, values: {}, valuesFrom });
  await hubClient.delete(kubeResources.secret, metadata);
}

const byPassword = [
  [
    "a hook",
    `apiVersion: batch/v1
kind: Job
metadata: { name: "{{ .Values.key }}-check", annotations: { helm.sh/hook: pre-rollback } }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: registry.example.test/main:1 }] } } }
`,
    "[...]-check",
  ],
  [
    "readiness",
    `{{- if .Values.key }}
apiVersion: apps/v1
kind: Deployment
metadata: { name: "{{ .Values.key }}-web" }
spec:
  replicas: {{ if .Release.IsInstall }}0{{ else }}1{{ end }}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: registry.example.test/main:1 }] }
{{- end }}
`,
    "[...]-web",
  ],
] as const;

it.each(byPassword)(
  "a rollback that waits for %s does not tell what valuesFrom had given",
  async (_what, template, words) => {
    await twoRevisionsByPassword("correct-horse", template);
    await bench.annotate(key, "1");
    await bench.scope.trigger("item");
    await bench.waitForWords(words);
    const { status } = await bench.timeOut();
    expect([status?.phase, status?.lastError?.message]).toEqual(["Failed", expect.stringContaining(words)]);
    // The inventory has to name what is there.
    expect(JSON.stringify({ ...status, providerStatus: undefined })).not.toContain("correct-horse");
  },
);

it("a rollback that fails does not tell what valuesFrom had given", async () => {
  await twoRevisionsByPassword(
    "hunter2",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: '{{ .Values.key }}-map' }\n",
  );
  bench.fixture.target.setFault(({ verb, resource }) =>
    verb === "create" && resource === "configmaps" ? { status: 403 } : undefined,
  );
  await bench.annotate(key, "1");
  await bench.scope.trigger("item");
  await bench.waitForError();
  const failed = await bench.timeOut();
  expect(failed.status?.lastError?.message).toContain(`create ConfigMap ${bench.namespace}/[...]-map`);
  expect(JSON.stringify(failed.status)).not.toContain("hunter2");
});

it("a rollback that the target refuses is tried again under its number", async () => {
  await twoRevisions();
  await bench.annotate(key, "1");
  let refusals = 0;
  bench.fixture.target.setFault(({ verb, resource }) => {
    if (verb !== "create" || resource !== "configmaps" || refusals >= 2) return undefined;
    refusals++;
    return { status: 403 };
  });
  const done = await again();
  expect([done.status?.phase, refusals, (await bench.revisions()).at(-1)]).toEqual(["Succeeded", 2, "app.v3 deployed"]);
  expect(await bench.data("old")).toEqual({ key: "old" });
});

it("a release that was rolled back can become manifests", async () => {
  await twoRevisions();
  await bench.annotate(key, "1");
  await again();
  await bench.annotate(key, undefined);
  const done = await bench.redeploy({ ...second, helmDeployment: false });
  expect([done.status?.phase, await bench.revisions(), await bench.data("old")]).toEqual(["Succeeded", [], undefined]);
  expect(rolledBack(done)).toContain("False");
});
