// Items that work as Helm 3 or as Helm 4: what they render, which version a release keeps, and what a switch changes.
import { describe, expect, it } from "@jest/globals";
import { annotations, type DeployItem } from "@landscaper/api";
import { ReleaseStore, type ReleaseRecord } from "@landscaper/helm-release";
import { useHelmBench, type Config } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";
import { recordOf } from "../../test/release-records.ts";

const { signal } = new AbortController();
const bench = useHelmBench();

/** Renders to the same data with both versions, but to different white space. */
const spaced = `apiVersion: v1
kind: ConfigMap
metadata: { name: app-map }
data:
  key: {{ .Values.key | quote }}


`;
/** Renders to different data with each version. */
const telling = `apiVersion: v1
kind: ConfigMap
metadata: { name: app-map }
data:
  helm: {{ .Capabilities.HelmVersion.Version | quote }}
  key: {{ .Values.key | quote }}
`;

async function configOf(template: string, more: Config = {}): Promise<Config> {
  return { chart: await rawChart({ "values.yaml": "key: a\n", "templates/map.yaml": template }), ...more };
}

function openStore(): ReleaseStore {
  const { namespace, fixture } = bench;
  return new ReleaseStore({ client: fixture.targetClient, namespace, name: "app", now: Date.now });
}

async function versions(): Promise<(string | undefined)[]> {
  return (await openStore().history({ signal })).map(({ helmVersion }) => helmVersion);
}

function noted({ status }: DeployItem): unknown {
  return Reflect.get(Object(status?.providerStatus), "helmVersion");
}

/** Makes the next revision as another client does: without the annotation of the deployer. */
async function upgradeElsewhere(fields: Partial<ReleaseRecord>): Promise<void> {
  const store = openStore();
  const newest = (await store.history({ signal })).at(-1);
  if (newest === undefined) throw new Error("there is no revision");
  const { helmVersion: _ours, ...content } = newest;
  await store.update({ ...newest, info: { ...newest.info, status: "superseded" } }, { signal });
  await store.create({ ...content, version: newest.version + 1, ...fields }, { signal });
}

describe("helmVersion of an item", () => {
  it("is 4 for a new release without a setting", async () => {
    await bench.deploy(await configOf(telling));
    expect([await bench.data(), await versions()]).toEqual([{ helm: "v4.3.1", key: "a" }, ["4"]]);
  });

  it.each(["3", "4"] as const)("%s selects how the chart is rendered, and is recorded", async (helmVersion) => {
    const done = await bench.deploy(await configOf(telling, { helmVersion }));
    expect([await bench.data(), await versions(), noted(done)]).toEqual([
      { helm: helmVersion === "3" ? "v3.22.0" : "v4.3.1", key: "a" },
      [helmVersion],
      helmVersion,
    ]);
  });

  it("makes no revision at a switch that changes only white space; the next revision records the switch", async () => {
    await bench.deploy(await configOf(spaced, { helmVersion: "3" }));
    const switched = await bench.redeploy(await configOf(spaced, { helmVersion: "4" }));
    expect([await versions(), noted(switched)]).toEqual([["3"], "3"]);
    const changed = await bench.redeploy(await configOf(spaced, { helmVersion: "4", values: { key: "b" } }));
    expect([await versions(), noted(changed), await bench.data()]).toEqual([["3", "4"], "4", { key: "b" }]);
    const kept = await bench.redeploy(await configOf(spaced, { values: { key: "c" } }));
    expect([await versions(), noted(kept)]).toEqual([["3", "4", "4"], "4"]);
  });

  it("exports values of the revision after a switch that made none", async () => {
    const files = { "values.yaml": "key: a\nnote: first\n---\nnote: second\n", "templates/map.yaml": spaced };
    const chart = await rawChart(files);
    const exports = { exports: [{ key: "note", jsonPath: ".Values.note" }] };
    await bench.deploy({ chart, exports, helmVersion: "3" });
    await bench.redeploy({ chart, exports, helmVersion: "4" });
    expect([await versions(), await bench.exports()]).toEqual([["3"], { note: "first" }]);
  });

  it("makes a revision at a switch that changes an object, and another one when it is switched back", async () => {
    await bench.deploy(await configOf(telling, { helmVersion: "3" }));
    await bench.redeploy(await configOf(telling, { helmVersion: "4" }));
    expect([await versions(), await bench.data()]).toEqual([["3", "4"], { helm: "v4.3.1", key: "a" }]);
    await bench.redeploy(await configOf(telling, { helmVersion: "3" }));
    expect([await versions(), await bench.data()]).toEqual([["3", "4", "3"], { helm: "v3.22.0", key: "a" }]);
  });

  it("applies to items without a release, which keep it", async () => {
    const done = await bench.deploy(await configOf(telling, { helmDeployment: false, helmVersion: "4" }));
    expect([await bench.data(), noted(done)]).toEqual([{ helm: "v4.3.1", key: "a" }, "4"]);
    const kept = await bench.redeploy(await configOf(telling, { helmDeployment: false, values: { key: "b" } }));
    expect([await bench.data(), noted(kept)]).toEqual([{ helm: "v4.3.1", key: "b" }, "4"]);
  });

  it("stays the version of the item if Helm 4 upgrades the release, with a warning", async () => {
    await bench.deploy(await configOf(telling, { helmVersion: "3" }));
    await upgradeElsewhere({ apply_method: "csa" });
    const done = await bench.redeploy(await configOf(telling, { values: { key: "b" } }));
    expect([await versions(), await bench.data()]).toEqual([["3", undefined, "3"], { helm: "v3.22.0", key: "b" }]);
    expect(done.status?.conditions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining("another client made revision 2 with Helm 4") }),
      ]),
    );
  });

  it("is the version of the newest revision if another client made the release", async () => {
    const { namespace } = bench;
    await openStore().create({ ...recordOf(1, "deployed"), namespace, manifest: "", apply_method: "ssa" }, { signal });
    await bench.deploy(await configOf(telling, { values: { key: "b" }, updateStrategy: "update" }));
    expect([(await versions()).at(-1), await bench.data()]).toEqual(["4", { helm: "v4.3.1", key: "b" }]);
  });

  it("is that of another client's revision if an annotation keeps the release there before the first own one", async () => {
    const { namespace } = bench;
    await openStore().create({ ...recordOf(1, "deployed"), namespace, manifest: "", apply_method: "ssa" }, { signal });
    const failed = await bench.deploy(await configOf("{{ fail .Values.key }}"));
    expect(noted(failed)).toBeUndefined();
    await bench.annotate(annotations.helmRollbackTo, "1");
    const kept = await bench.redeploy(await configOf(telling));
    expect([kept.status?.phase, noted(kept)]).toEqual(["Succeeded", "4"]);
    await bench.annotate(annotations.helmRollbackTo, undefined);
    await bench.redeploy(await configOf(telling, { updateStrategy: "update" }));
    expect([await versions(), await bench.data()]).toEqual([[undefined, "4"], { helm: "v4.3.1", key: "a" }]);
  });

  it("is named by the hint if only the other version accepts the chart", async () => {
    const unknown = spaced.replace(".Values.key", ".Chart.Nope");
    const failed = await bench.deploy(await configOf(unknown, { helmVersion: "3" }));
    expect(failed.status?.lastError?.message).toMatch(
      /can't evaluate field Nope.*only Helm 4 accepts this chart with these values: set helmVersion: "4"/s,
    );
    const chartYaml = "apiVersion: v3\nname: app\nversion: 1.0.0\n";
    const chart = await rawChart({ "Chart.yaml": chartYaml, "templates/map.yaml": spaced });
    const refused = await bench.redeploy({ chart, helmVersion: "4" });
    expect(refused.status?.lastError?.message).toMatch(
      /invalid chart apiVersion.*only Helm 3 accepts this chart with these values: set helmVersion: "3"/s,
    );
    const both = await bench.redeploy(await configOf("{{ fail .Values.key }}"));
    expect(both.status?.lastError?.message).not.toContain("helmVersion");
  });
});
