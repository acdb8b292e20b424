// Restoration of a release after manual changes, in jobs and between them, on embedded clusters.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type DeployItem } from "@landscaper/api";
import { recordRequests, waitFor } from "@landscaper/testkit";
import { helmSpec, rawChart } from "../../test/index.ts";
import { mapChart, useHelmBench, type Config } from "../../test/helm-bench.ts";

/** The schedule's ten minutes, and the longest delay of an item. */
const dueMs = 11 * 60_000;

const bench = useHelmBench();

const further = ["one", "two"]
  .map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { key: "1", other: "1" }\n`)
  .join("---\n");
const secret = "apiVersion: v1\nkind: Secret\nmetadata: { name: robot }\nstringData: { token: abc }\n";
const hook = `apiVersion: v1
kind: ConfigMap
metadata: { name: hooked, annotations: { helm.sh/hook: "pre-install,pre-upgrade" } }
`;
const files = { ...mapChart, "templates/more.yaml": `${further}---\n${secret}`, "templates/hook.yaml": hook };

async function edit(name: string, data: Record<string, string | null>): Promise<void> {
  const key = { namespace: bench.namespace, name };
  await bench.fixture.targetClient.patch(kubeResources.configMap, key, { type: "merge", body: { data } });
}

async function remove(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await bench.fixture.targetClient.delete(kubeResources.configMap, { namespace: bench.namespace, name });
  }
}

async function again(): Promise<string | undefined> {
  await bench.scope.trigger("item");
  return (await bench.scope.waitForEnd("item")).status?.phase;
}

function drifted({ status }: DeployItem): string | undefined {
  const found = status?.conditions?.find(({ type }) => type === "Drifted");
  return found && `${found.status} ${found.reason}: ${found.message}`;
}

/** When the last look between jobs ended. */
function lookedAt({ status }: DeployItem): string | undefined {
  const found = status?.conditions?.find(({ type }) => type === "ContinuousReconcile");
  return found?.status === "True" ? found.lastUpdateTime : undefined;
}

/** Lets the next look come, and returns what it says. */
async function look(): Promise<string | undefined> {
  const before = lookedAt(await bench.scope.get("item"));
  bench.clock.leap(dueMs);
  const item = await waitFor(async () => {
    const found = await bench.scope.get("item");
    return ![undefined, before].includes(lookedAt(found)) ? found : undefined;
  });
  return drifted(item);
}

async function approve(): Promise<void> {
  const { status } = await bench.scope.get("item");
  await bench.annotate("landscaper.gardener.cloud/approved-job", status?.jobID ?? "");
}

describe.each(["update", "apply"])("a job of a release with strategy %s", (updateStrategy) => {
  it("restores what was removed and what the chart has, leaves what others have added, and makes no revision", async () => {
    const chart = await rawChart(files);
    const config = { chart, updateStrategy, driftDetection: "warn" };
    expect((await bench.deploy(config)).status?.phase).toBe("Succeeded");
    await remove("app-map", "two", "hooked");
    await edit("one", { key: "edited", other: null, added: "1" });
    if (updateStrategy === "apply") await edit("one", { key: "1" });
    expect(await look()).toBe(
      `True Drifted: ConfigMap ${bench.namespace}/app-map does not exist; ConfigMap ${bench.namespace}/one: ${updateStrategy === "apply" ? "" : ".data.key, "}.data.other; ConfigMap ${bench.namespace}/two does not exist`,
    );
    expect(await again()).toBe("Succeeded");
    expect(await bench.data("one")).toEqual({ key: "1", other: "1", added: "1" });
    expect([await bench.data("two"), (await bench.data())?.["key"]]).toEqual([{ key: "1", other: "1" }, "value"]);
    // Hooks are not objects of the release.
    expect(await bench.find(kubeResources.configMap, "hooked")).toBeUndefined();
    expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
    expect(drifted(await bench.scope.get("item"))).toBe("False Deployed: everything has just been deployed");
  });
});

describe("a job of a release", () => {
  it("leaves an object that another release has taken over, and the last one of two with the same name", async () => {
    const twice = ["1", "2"].map(
      (key) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: twice }\ndata: { key: "${key}" }\n`,
    );
    await bench.deploy({ chart: await rawChart({ ...files, "templates/twice.yaml": twice[0] ?? "" }) });
    // Helm cannot install an object twice, but upgrades to it.
    await bench.redeploy({ chart: await rawChart({ ...files, "templates/twice.yaml": twice.join("---\n") }) });
    const taken = await bench.data("twice");
    const metadata = { annotations: { "meta.helm.sh/release-name": "other" } };
    const key = { namespace: bench.namespace, name: "one" };
    const body = { metadata, data: { key: "theirs" } };
    await bench.fixture.targetClient.patch(kubeResources.configMap, key, { type: "merge", body });
    expect(await again()).toBe("Succeeded");
    expect(await bench.data("one")).toEqual({ key: "theirs", other: "1" });
    expect([taken, await bench.data("twice")]).toEqual([{ key: "2" }, { key: "2" }]);
  });
});

describe("a job that has nothing to restore", () => {
  it("makes one request for each kind and namespace, and writes nothing", async () => {
    await bench.deploy({ chart: await rawChart(files) });
    const record = recordRequests(bench.fixture.target, ({ userAgent }) => userAgent.startsWith("helm."));
    expect(await again()).toBe("Succeeded");
    expect(record.lines.toSorted()).toEqual(["get secrets", "list configmaps", "list secrets"]);
  });
});

const workload = `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec:
  replicas: 0
  selector: { matchLabels: { app: shop } }
  template: { metadata: { labels: { app: shop } }, spec: { containers: [{ name: a, image: a }] } }
`;

describe("a job whose user may not list objects", () => {
  it("reads each object, and notes no change if there is none", async () => {
    await bench.deploy({ chart: await rawChart(files) });
    await remove("two");
    const isOurs = (userAgent: string): boolean => userAgent.startsWith("helm.");
    bench.fixture.target.setFault(({ verb, resource, userAgent }) =>
      verb === "list" && resource === "configmaps" && isOurs(userAgent) ? { status: 403 } : undefined,
    );
    expect(await again()).toBe("Succeeded");
    expect(await bench.data("two")).toEqual({ key: "1", other: "1" });
    const events = async (): Promise<number> => (await bench.fixture.hubClient.list(kubeResources.event)).items.length;
    const before = await events();
    expect(await again()).toBe("Succeeded");
    expect(await events()).toBe(before);
  });
});

describe("between jobs", () => {
  it("restores nothing without drift detection", async () => {
    await bench.deploy({ chart: await rawChart(files), continuousReconcile: { every: "10m" } });
    await remove("one");
    expect(await look()).toBeUndefined();
    expect(await bench.data("one")).toBeUndefined();
  });

  it.each(["update", "apply"])(
    "makes no revision without approval, with strategy %s and a changed value",
    async (updateStrategy) => {
      const valuesFrom = [{ kind: "ConfigMap", name: "values" }];
      const key = { namespace: bench.namespace, name: "values" };
      const values = { apiVersion: "v1", kind: "ConfigMap", metadata: key, data: { "values.yaml": "key: first" } };
      await bench.fixture.hubClient.create(kubeResources.configMap, values);
      const continuousReconcile = { every: "10m" };
      const config = { valuesFrom, continuousReconcile, requireApproval: true, updateStrategy };
      await bench.create({ chart: await rawChart(files), ...config });
      await bench.waitForWords("approval of revision 1");
      await approve();
      expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
      const body = { data: { "values.yaml": "key: second" } };
      await bench.fixture.hubClient.patch(kubeResources.configMap, key, { type: "merge", body });
      await look();
      expect([(await bench.data())?.["key"], await bench.revisions()]).toEqual(["first", ["app.v1 deployed"]]);
    },
  );

  it("replaces a revision of another client completely, although its workloads take time", async () => {
    const chart = await rawChart({ ...files, "templates/workload.yaml": workload });
    await bench.create({ chart, driftDetection: "correct" });
    await makeReady();
    await bench.scope.waitForEnd("item");
    await bench.fixture.targetClient.delete(kubeResources.secret, {
      namespace: bench.namespace,
      name: "sh.helm.release.v1.app.v1",
    });
    await bench.fixture.targetClient.delete(kubeResources.deployment, { namespace: bench.namespace, name: "shop" });
    const looked = look();
    await makeReady();
    expect(await looked).toBe(`False Corrected: corrected release ${bench.namespace}/app does not exist`);
  });

  /** Plays the controller of the Deployment, once it exists. */
  async function makeReady(): Promise<void> {
    await waitFor(async () => await bench.find(kubeResources.deployment, "shop"));
    const key = { namespace: bench.namespace, name: "shop" };
    const body = { status: { observedGeneration: 1 } };
    const status = { type: "merge", body, subresource: "status" } as const;
    await bench.fixture.targetClient.patch(kubeResources.deployment, key, status);
  }

  it("corrects drift, even if another manager owns the field", async () => {
    const config = { updateStrategy: "apply", driftDetection: "correct" };
    await bench.deploy({ chart: await rawChart(files), ...config });
    await remove("two");
    await edit("one", { key: "edited" });
    expect(await look()).toBe(
      `False Corrected: corrected ConfigMap ${bench.namespace}/one: .data.key; ConfigMap ${bench.namespace}/two does not exist`,
    );
    expect([await bench.data("one"), await bench.data("two")]).toEqual([
      { key: "1", other: "1" },
      { key: "1", other: "1" },
    ]);
    expect(await look()).toBe("False InSync: everything is as it was deployed");
    expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
  });

  it.each(["warn", "correct"])("a revision that no job has made is drift, with mode %s", async (driftDetection) => {
    await bench.deploy({ chart: await rawChart(files), driftDetection });
    await bench.fixture.targetClient.delete(kubeResources.secret, {
      namespace: bench.namespace,
      name: "sh.helm.release.v1.app.v1",
    });
    const found = `release ${bench.namespace}/app does not exist`;
    const isWarning = driftDetection === "warn";
    expect(await look()).toBe(isWarning ? `True Drifted: ${found}` : `False Corrected: corrected ${found}`);
    expect(await bench.revisions()).toEqual(isWarning ? [] : ["app.v1 deployed"]);
  });

  it("a Job that has expired is not drift, and only a triggered job runs it again", async () => {
    const job = `apiVersion: batch/v1
kind: Job
metadata: { name: once }
spec:
  ttlSecondsAfterFinished: 60
  template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a }] } }
`;
    const readinessChecks = { disableDefault: true };
    await bench.deploy({
      chart: await rawChart({ "templates/job.yaml": job }),
      driftDetection: "correct",
      readinessChecks,
    });
    const key = { namespace: bench.namespace, name: "once" };
    await bench.fixture.targetClient.delete(kubeResources.job, key, { propagationPolicy: "Background" });
    await waitFor(async () => (await bench.find(kubeResources.job, "once")) === undefined);
    expect(await look()).toBe("False InSync: everything is as it was deployed");
    expect(await again()).toBe("Succeeded");
    expect(await bench.find(kubeResources.job, "once")).toBeDefined();
  });

  it("objects that are no release are compared with the chart as it is rendered now", async () => {
    const manifests = { helmDeployment: false, hooks: "skip" };
    await bench.deploy({ chart: await rawChart(files), ...manifests, driftDetection: "correct" });
    await edit("one", { key: "edited" });
    expect(await look()).toContain(`ConfigMap ${bench.namespace}/one: .data.key`);
    expect(await bench.data("one")).toEqual({ key: "1", other: "1" });
  });
});

describe.each(["update", "apply"])("ignored fields, with strategy %s", (updateStrategy) => {
  it("stay as others have set them, in jobs that restore, in upgrades, and between jobs", async () => {
    const ignoreFields = [{ kind: "ConfigMap", name: "one", jsonPointers: ["/data/key"] }];
    const config = { updateStrategy, ignoreFields, driftDetection: "correct" };
    await bench.deploy({ chart: await rawChart(files), ...config });
    expect(await bench.data("one")).toEqual({ key: "1", other: "1" });
    await edit("one", { key: "edited", other: null });
    expect(await look()).toBe(`False Corrected: corrected ConfigMap ${bench.namespace}/one: .data.other`);
    expect(await bench.data("one")).toEqual({ key: "edited", other: "1" });
    const next = {
      ...files,
      "templates/more.yaml": files["templates/more.yaml"].replaceAll('other: "1"', 'other: "2"'),
    };
    expect((await bench.redeploy({ chart: await rawChart(next), ...config })).status?.phase).toBe("Succeeded");
    expect(await bench.data("one")).toEqual({ key: "edited", other: "2" });
    await edit("one", { key: "more" });
    expect(await again()).toBe("Succeeded");
    expect(await bench.data("one")).toEqual({ key: "more", other: "2" });
  });
});

describe("a release that needs approval", () => {
  const config = { requireApproval: true };
  const words = "set the annotation landscaper.gardener.cloud/approved-job to ";
  const untilAsked = async (what: string): Promise<void> => {
    await bench.waitForWords(`waiting for approval of ${what}: ${words}`);
  };

  it("waits before an installation, an upgrade, a rollback and a restoration, and not if nothing would change", async () => {
    const { namespace } = bench;
    await bench.create({ chart: await rawChart(files), ...config });
    await untilAsked(`revision 1 of release ${namespace}/app (4 to create)`);
    expect([await bench.revisions(), await bench.data("one"), await bench.data("hooked")]).toEqual([
      [],
      undefined,
      undefined,
    ]);
    await approve();
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await again()).toBe("Succeeded");

    await remove("one");
    await bench.scope.trigger("item");
    await untilAsked("1 to create");
    expect(await bench.data("one")).toBeUndefined();
    await approve();
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await bench.data("one")).toEqual({ key: "1", other: "1" });

    await upgrade({ key: "next" });
    await untilAsked(`revision 2 of release ${namespace}/app (1 to update, 3 unchanged)`);
    expect((await bench.data())?.["key"]).toBe("value");
    await approve();
    await bench.scope.waitForEnd("item");
    expect((await bench.data())?.["key"]).toBe("next");

    await bench.annotate("helm.deployer.landscaper.gardener.cloud/rollback-to", "1");
    await bench.scope.trigger("item");
    await untilAsked(`rollback to revision 1 of release ${namespace}/app (1 to update, 3 unchanged)`);
    expect((await bench.data())?.["key"]).toBe("next");
    await approve();
    await bench.scope.waitForEnd("item");
    expect((await bench.data())?.["key"]).toBe("value");
  });

  async function upgrade(values: Config): Promise<void> {
    const { spec } = await bench.scope.get("item");
    const changed = { ...(spec.config as Config), values };
    await bench.scope.trigger("item", { ...spec, config: changed });
  }
});

describe("approval of what a job removes", () => {
  const one = further.split("---\n")[0] ?? "";

  it("names the objects of a release that become manifests", async () => {
    await bench.deploy({ chart: await rawChart(files) });
    const config = {
      chart: await rawChart({ "templates/one.yaml": one }),
      helmDeployment: false,
      requireApproval: true,
    };
    await bench.scope.trigger("item", helmSpec(bench.namespace, config));
    await bench.waitForWords("waiting for approval of 1 to update, 3 to delete: set the annotation");
    expect(await bench.data("two")).toEqual({ key: "1", other: "1" });
    await approve();
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect([await bench.data("one"), await bench.data("two")]).toEqual([{ key: "1", other: "1" }, undefined]);
  });

  it("names a release that gets another name, and creates its namespace", async () => {
    await bench.deploy({ chart: await rawChart({ "templates/one.yaml": one }) });
    const namespace = `${bench.namespace}-other`;
    const config = { chart: await rawChart({ "templates/one.yaml": one }), name: "other", namespace };
    const spec = helmSpec(bench.namespace, { ...config, createNamespace: true, requireApproval: true });
    await bench.scope.trigger("item", spec);
    await bench.waitForWords(
      `approval of revision 1 of release ${namespace}/other (1 to create, releases to uninstall: ${bench.namespace}/app)`,
    );
    await approve();
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });
});

describe("manifests of a chart that need approval", () => {
  it("wait before hooks run, and say how many there are", async () => {
    const config = { chart: await rawChart(files), helmDeployment: false, hooks: "run", requireApproval: true };
    await bench.create(config);
    await bench.waitForWords("waiting for approval of 4 to create, hooks to run: 1: set the annotation");
    expect([await bench.data("one"), await bench.find(kubeResources.configMap, "hooked")]).toEqual([
      undefined,
      undefined,
    ]);
    await approve();
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await bench.data("one")).toEqual({ key: "1", other: "1" });
  });
});
