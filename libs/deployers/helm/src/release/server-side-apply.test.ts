// Items with updateStrategy apply: whose fields are whose, and what a change of strategy or form leaves.
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { useHelmBench, type Config } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

const bench = useHelmBench();
const template = `apiVersion: v1
kind: ConfigMap
metadata: { name: app-map }
data: {{ .Values.data | toJson }}
`;

async function configOf(data: Readonly<Record<string, string>>, more: Config): Promise<Config> {
  const chart = await rawChart({ "values.yaml": "data: {}\n", "templates/map.yaml": template });
  return { chart, values: { data }, ...more };
}

async function edit(data: Readonly<Record<string, string>>): Promise<void> {
  const key = { namespace: bench.namespace, name: "app-map" };
  const patch = { type: "merge", body: { data }, fieldManager: "kubectl-edit" } as const;
  await bench.fixture.targetClient.patch(kubeResources.configMap, key, patch);
}

async function appliers(): Promise<string[]> {
  const entries = (await bench.find(kubeResources.configMap, "app-map"))?.metadata["managedFields"] as {
    manager: string;
    operation: string;
  }[];
  return entries.map(({ manager, operation }) => `${manager} ${operation}`).toSorted();
}

const release = { updateStrategy: "apply" };

it("a release leaves fields of others alone, and reports those that it wants", async () => {
  await bench.deploy(await configOf({ keep: "1", drop: "1" }, release));
  expect(await appliers()).toEqual(["helm Apply"]);
  await edit({ foreign: "1" });
  const done = await bench.redeploy(await configOf({ keep: "2" }, release));
  expect([done.status?.phase, await bench.data()]).toEqual(["Succeeded", { keep: "2", foreign: "1" }]);
  const refused = await bench.redeploy(await configOf({ keep: "2", foreign: "2" }, release));
  expect(refused.status).toMatchObject({
    phase: "Failed",
    lastError: {
      reason: "FieldConflict",
      message:
        `app/templates/map.yaml: apply ConfigMap ${bench.namespace}/app-map: kubectl-edit manages .data.foreign; ` +
        "leave these fields out of the manifest, name them in ignoreFields, or set serverSideApply.force to take them over",
    },
  });
  const forced = { ...release, serverSideApply: { force: true } };
  await bench.redeploy(await configOf({ keep: "2", foreign: "2" }, forced));
  expect(await bench.data()).toEqual({ keep: "2", foreign: "2" });
  expect(await bench.revisions()).toEqual(["app.v1 superseded", "app.v2 superseded", "app.v3 deployed"]);
});

const forms: Readonly<Record<string, Config>> = {
  "a release by three-way merge": {},
  "a release by server-side apply": release,
  "manifests by update": { helmDeployment: false },
  "manifests by server-side apply": { helmDeployment: false, updateStrategy: "apply" },
};
/** The three-way merge knows nothing of manifests that were there before its first revision: fields of theirs stay. */
const unknownToMerge = /three-way.*manifests|manifests.*three-way/;
const changes = Object.keys(forms).flatMap((from) =>
  Object.keys(forms).flatMap((to) => (from === to || unknownToMerge.test(`${from} ${to}`) ? [] : [{ from, to }])),
);

describe("a change of form or strategy", () => {
  it.each(changes)("from $from to $to leaves nothing behind, and takes nobody's fields", async ({ from, to }) => {
    const before = await bench.deploy(await configOf({ keep: "1", drop: "1" }, forms[from] ?? {}));
    expect(before.status?.phase).toBe("Succeeded");
    const uid = (await bench.find(kubeResources.configMap, "app-map"))?.metadata.uid;
    const done = await bench.redeploy(await configOf({ keep: "2", added: "2" }, forms[to] ?? {}));
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect(await bench.data()).toEqual({ keep: "2", added: "2" });
    const back = await bench.redeploy(await configOf({ keep: "3" }, forms[from] ?? {}));
    expect([back.status?.phase, back.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect(await bench.data()).toEqual({ keep: "3" });
    expect((await bench.find(kubeResources.configMap, "app-map"))?.metadata.uid).toBe(uid);
  });
});
