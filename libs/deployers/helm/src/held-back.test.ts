// Jobs that would take away more than a change of a chart or its values usually means.
import { isWrite, recordRequests, type RequestRecord } from "@landscaper/testkit";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, type DeployItem } from "@landscaper/api";
import { useHelmBench } from "../test/helm-bench.ts";
import { rawChart } from "../test/index.ts";

const bench = useHelmBench();

/** What was written on the target. */
let writes: RequestRecord;
beforeEach(() => {
  writes = recordRequests(bench.fixture.target, isWrite);
});

const files = {
  "templates/all.yaml": `{{ if .Values.map }}
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-map }
{{ end }}
---
{{ if .Values.claim }}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .Values.claim }}
  annotations: { helm.sh/resource-policy: {{ .Values.policy | default "delete" }} }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
{{ end }}
---
{{ if .Values.hook }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-hook
  annotations: { helm.sh/hook: "pre-install,pre-upgrade" }
{{ end }}
`,
};

const configOf = async (values: object, config: object = {}): Promise<Record<string, unknown>> => ({
  chart: await rawChart(files),
  values,
  ...config,
});

async function redeploy(values: object, config: object = {}): Promise<DeployItem> {
  writes.forget();
  return await bench.redeploy(await configOf(values, config));
}

const failureOf = ({ status }: DeployItem): unknown => [status?.phase, status?.lastError?.reason];
const claimType = {
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  namespaced: true,
};

describe.each([
  ["a release", {}],
  ["manifests", { helmDeployment: false, createNamespace: true, hooks: "run" }],
])("an item that is deployed as %s", (_form, form) => {
  it("fails when a job would leave nothing, before it writes anything", async () => {
    await bench.deploy(await configOf({ map: true }, form));
    const item = await redeploy({ hook: true }, form);
    expect(failureOf(item)).toEqual(["Failed", "EmptyingHeldBack"]);
    expect(item.status?.lastError?.message).toContain(
      `no object of the deploy item: it would remove ConfigMap ${bench.namespace}/app-map`,
    );
    expect(writes.lines).toEqual([]);
    await bench.annotate(annotations.allowEmpty, "true");
    expect((await redeploy({}, form)).status?.phase).toBe("Succeeded");
    expect(await bench.find(kubeResources.configMap, "app-map")).toBe(undefined);
  });

  it("fails when a job would remove a claim, and not when the claim is to stay", async () => {
    await bench.deploy(await configOf({ map: true, claim: "data" }, form));
    const item = await redeploy({ map: true, claim: "other" }, form);
    expect(failureOf(item)).toEqual(["Failed", "PruningHeldBack"]);
    expect(item.status?.lastError?.message).toContain(`PersistentVolumeClaim ${bench.namespace}/data, and`);
    expect(writes.lines).toEqual([]);
    expect((await redeploy({ map: true, claim: "data", policy: "keep" }, form)).status?.phase).toBe("Succeeded");
    expect((await redeploy({ map: true }, form)).status?.phase).toBe("Succeeded");
    expect((await bench.find(claimType, "data"))?.metadata.name).toBe("data");
    await bench.annotate(annotations.allowPrune, "true");
    expect((await redeploy({ map: true, claim: "third" }, form)).status?.phase).toBe("Succeeded");
    expect((await redeploy({ map: true }, form)).status?.phase).toBe("Succeeded");
    expect(await bench.find(claimType, "third")).toBe(undefined);
  });
});

describe("an item that changes its form", () => {
  it.each([
    ["from a release to manifests", {}, { helmDeployment: false }],
    ["from manifests to a release", { helmDeployment: false }, {}],
    ["by the name of its release", {}, { name: "new" }],
  ])("holds back what it would lose: %s", async (_case, before, after) => {
    await bench.deploy(await configOf({ map: true, claim: "data" }, before));
    expect(failureOf(await redeploy({}, after))).toEqual(["Failed", "EmptyingHeldBack"]);
    expect(failureOf(await redeploy({ map: true }, after))).toEqual(["Failed", "PruningHeldBack"]);
    expect(writes.lines).toEqual([]);
    await bench.annotate(annotations.allowPrune, "true");
    expect((await redeploy({ map: true }, after)).status?.phase).toBe("Succeeded");
    expect(await bench.find(claimType, "data")).toBe(undefined);
  });
});

it("an item that goes back to a revision loses no claim by it", async () => {
  await bench.deploy(await configOf({ map: true }));
  await redeploy({ map: true, claim: "data" });
  await bench.annotate(annotations.helmRollbackTo, "1");
  expect(failureOf(await redeploy({ map: true, claim: "data" }))).toEqual(["Failed", "PruningHeldBack"]);
  await bench.annotate(annotations.allowPrune, "true");
  expect((await redeploy({ map: true, claim: "data" })).status?.phase).toBe("Succeeded");
  expect(await bench.find(claimType, "data")).toBe(undefined);
});
