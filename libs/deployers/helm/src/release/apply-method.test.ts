// Releases that Helm 4 and an item work on in turns: how revisions are written, and what their records say.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources } from "@landscaper/api";
import { ReleaseStore, type ReleaseRecord } from "@landscaper/helm-release";
import { waitFor } from "@landscaper/testkit";
import { useHelmBench, type Config } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

const { signal } = new AbortController();
const bench = useHelmBench();
const template = `apiVersion: v1
kind: ConfigMap
metadata: { name: app-map }
data: {{ .Values.data | toJson }}
`;

async function configOf(data: Readonly<Record<string, string>>, more: Config = {}): Promise<Config> {
  const chart = await rawChart({ "values.yaml": "data: {}\n", "templates/map.yaml": template });
  return { chart, values: { data }, ...more };
}

function store(): ReleaseStore {
  return new ReleaseStore({
    client: bench.fixture.targetClient,
    namespace: bench.namespace,
    name: "app",
    now: Date.now,
  });
}

async function history(): Promise<readonly ReleaseRecord[]> {
  return await store().history({ signal });
}

async function methods(): Promise<(string | undefined)[]> {
  return (await history()).map(({ apply_method }) => apply_method);
}

/** Makes a revision as Helm 4 would, with the content of the newest one and fields that this deployer does not know. */
async function helm4Upgrades(further: object = {}): Promise<void> {
  const records = store();
  const [newest] = (await records.history({ signal })).slice(-1);
  if (newest === undefined) throw new Error("there is no revision");
  await records.update({ ...newest, info: { ...newest.info, status: "superseded" } }, { signal });
  await records.create({ ...newest, version: newest.version + 1, apply_method: "ssa", ...further }, { signal });
}

async function writers(): Promise<string[]> {
  const entries = (await bench.find(kubeResources.configMap, "app-map"))?.metadata["managedFields"] as {
    manager: string;
    operation: string;
  }[];
  return entries.map(({ manager, operation }) => `${manager} ${operation}`).toSorted();
}

async function notes(): Promise<string[]> {
  const { items } = await bench.fixture.hubClient.list(kubeResources.event, { namespace: bench.namespace });
  const kept = items.filter((event) => event["reason"] === "ServerSideApplyKept");
  return kept.map((event) => String(event["note"]));
}

describe("the method in the record of a revision", () => {
  it.each([
    [{}, "csa"],
    [{ updateStrategy: "update" }, "csa"],
    [{ updateStrategy: "merge" }, "csa"],
    [{ updateStrategy: "apply" }, "ssa"],
  ])("of a new release with %j is %s", async (fields, expected) => {
    await bench.deploy(await configOf({ a: "1" }, fields));
    expect(await methods()).toEqual([expected]);
  });

  it("is kept without updateStrategy, with one event, and unknown fields of Helm 4 stay", async () => {
    await bench.deploy(await configOf({ a: "1", b: "1" }));
    await helm4Upgrades({ sequence: ["x"] });
    const done = await bench.redeploy(await configOf({ a: "2" }));
    expect([done.status?.phase, await methods(), await writers()]).toEqual([
      "Succeeded",
      ["csa", "ssa", "ssa"],
      ["helm Apply"],
    ]);
    expect((await history()).at(-1)).toMatchObject({ sequence: ["x"] });
    const note =
      `release ${bench.namespace}/app: revision 2 used server-side apply, and the item sets no updateStrategy: ` +
      "further revisions use it as well; updateStrategy: update returns to the three-way merge";
    await waitFor(async () => (await notes()).includes(note));
    await bench.redeploy(await configOf({ a: "3" }));
    expect([await methods(), await bench.data(), await notes()]).toEqual([
      ["csa", "ssa", "ssa", "ssa"],
      { a: "3" },
      [note],
    ]);
  });

  it("is that of updateStrategy: update, even if nothing else has changed", async () => {
    await bench.deploy(await configOf({ a: "1" }));
    await helm4Upgrades();
    await bench.redeploy(await configOf({ a: "2" }));
    await bench.redeploy(await configOf({ a: "2" }, { updateStrategy: "update" }));
    await bench.redeploy(await configOf({ a: "2" }, { updateStrategy: "update" }));
    expect(await methods()).toEqual(["csa", "ssa", "ssa", "csa"]);
    await bench.redeploy(await configOf({ a: "3" }));
    expect([await methods(), await notes()]).toEqual([
      ["csa", "ssa", "ssa", "csa", "csa"],
      [expect.stringContaining("revision 2 used server-side apply")],
    ]);
  });

  it("of a rollback is the strategy in force, not that of the stored revision", async () => {
    await bench.deploy(await configOf({ a: "1" }, { updateStrategy: "apply" }));
    await bench.redeploy(await configOf({ a: "2" }, { updateStrategy: "update" }));
    await bench.annotate(annotations.helmRollbackTo, "1");
    await bench.redeploy(await configOf({ a: "2" }, { updateStrategy: "update" }));
    expect([await methods(), await bench.data()]).toEqual([["ssa", "csa", "csa"], { a: "1" }]);
    expect((await history()).at(-1)?.info).toMatchObject({ rollback_revision: 1 });
  });
});

it("the hint of a field conflict names updateStrategy: update if server-side apply is inherited", async () => {
  await bench.deploy(await configOf({ a: "1" }, { updateStrategy: "apply" }));
  const key = { namespace: bench.namespace, name: "app-map" };
  const patch = { type: "merge", body: { data: { a: "theirs" } }, fieldManager: "kubectl-edit" } as const;
  await bench.fixture.targetClient.patch(kubeResources.configMap, key, patch);
  const refused = await bench.redeploy(await configOf({ a: "2" }));
  expect(refused.status?.lastError).toMatchObject({
    reason: "FieldConflict",
    message:
      `app/templates/map.yaml: apply ConfigMap ${bench.namespace}/app-map: kubectl-edit manages .data.a; the release keeps server-side apply, because its previous ` +
      "revision used it and the item sets no updateStrategy: set updateStrategy: update for the three-way merge, " +
      "or updateStrategy: apply with serverSideApply.force to take the fields over",
  });
  const done = await bench.redeploy(await configOf({ a: "2" }, { updateStrategy: "update" }));
  expect([done.status?.phase, await bench.data()]).toEqual(["Succeeded", { a: "2" }]);
});

describe("labels of the release", () => {
  async function labels(): Promise<unknown[]> {
    return (await history()).map((record) => record.labels);
  }

  it("are carried to every revision and rollback, and those that the item no longer sets go", async () => {
    await bench.deploy(await configOf({ a: "1" }, { labels: { team: "x", env: "prod" } }));
    const body = { metadata: { labels: { theirs: "1" } } };
    const key = { namespace: bench.namespace, name: "sh.helm.release.v1.app.v1" };
    await bench.fixture.targetClient.patch(kubeResources.secret, key, { type: "merge", body });
    await bench.redeploy(await configOf({ a: "2" }, { labels: { team: "y" } }));
    await bench.redeploy(await configOf({ a: "3" }));
    await bench.annotate(annotations.helmRollbackTo, "2");
    await bench.redeploy(await configOf({ a: "3" }));
    expect(await labels()).toEqual([
      { team: "x", env: "prod", theirs: "1" },
      { team: "y", theirs: "1" },
      { theirs: "1" },
      { theirs: "1" },
    ]);
  });

  it("make a new revision if they change, and none if they do not", async () => {
    await bench.deploy(await configOf({ a: "1" }, { labels: { team: "x" } }));
    await bench.redeploy(await configOf({ a: "1" }, { labels: { team: "x" } }));
    await bench.redeploy(await configOf({ a: "1" }, { labels: { team: "null" } }));
    expect(await labels()).toEqual([{ team: "x" }, {}]);
  });
});
