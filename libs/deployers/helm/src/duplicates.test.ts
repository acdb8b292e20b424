// Charts that have an object more than once.
import { describe, expect, it } from "@jest/globals";
import { annotations, conditionTypes, type DeployItem } from "@landscaper/api";
import { rawChart } from "../test/index.ts";
import { useHelmBench } from "../test/helm-bench.ts";

const bench = useHelmBench();

const copy = (key: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "twice" },
    data: { key },
  });
const chartOf = async (...keys: readonly string[]): Promise<object> =>
  await rawChart(Object.fromEntries(keys.map((key, index) => [`templates/${index}.yaml`, copy(key)])));

const isKnown = { [annotations.sensitiveConfig]: "[]" };
const isStrict = { [annotations.fieldValidation]: "Strict" };

async function annotate(marks: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(marks)) await bench.annotate(key, value);
}

const warningsOf = ({ status }: DeployItem): string | undefined =>
  status?.conditions?.find(({ type }) => type === conditionTypes.warnings)?.message;

const warning = (): string =>
  "app/templates/1.yaml: ConfigMap twice is also at app/templates/0.yaml, with other content; the last one is applied";

describe("a chart with an object twice", () => {
  it("is not installed as a release, and nothing is written", async () => {
    const config = { chart: await chartOf("1", "2"), namespace: `${bench.namespace}-new`, createNamespace: true };
    const { status } = await bench.deploy(config);
    expect([status?.phase, status?.lastError]).toMatchObject(["Failed", { reason: "DuplicateObject" }]);
    expect(status?.lastError?.message).toContain(
      "the chart has an object more than once: ConfigMap twice (2 times, in app/templates/0.yaml, app/templates/1.yaml)",
    );
    expect(await bench.revisions()).toEqual([]);
    expect(await bench.data("twice")).toBeUndefined();
  });

  it.each([
    ["by an upgrade", {}],
    ["without a release", { helmDeployment: false }],
    ["by server-side apply", { updateStrategy: "apply" }],
  ])("is deployed %s, with a warning", async (_, config) => {
    await bench.deploy({ chart: await chartOf("1"), ...config });
    await annotate(isKnown);
    const done = await bench.redeploy({ chart: await chartOf("1", "2"), ...config });
    expect([done.status?.phase, await bench.data("twice")]).toEqual(["Succeeded", { key: "2" }]);
    expect(warningsOf(done)).toContain(warning());
  });

  it("is refused with strict field validation, and the deployed revision stays", async () => {
    await bench.deploy({ chart: await chartOf("1") });
    await annotate({ ...isKnown, ...isStrict });
    const { status } = await bench.redeploy({ chart: await chartOf("2", "3") });
    expect([status?.phase, status?.lastError]).toMatchObject(["Failed", { reason: "StrictValidation" }]);
    expect(status?.lastError?.message).toContain("ConfigMap twice is also at app/templates/0.yaml");
    expect([await bench.revisions(), await bench.data("twice")]).toEqual([["app.v1 deployed"], { key: "1" }]);
  });

  it("may be the target of a rollback, also with strict field validation", async () => {
    await bench.deploy({ chart: await chartOf("1") });
    await bench.redeploy({ chart: await chartOf("2", "3") });
    await bench.redeploy({ chart: await chartOf("4") });
    await annotate({ ...isStrict, [annotations.helmRollbackTo]: "2" });
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await bench.data("twice")).toEqual({ key: "3" });
  });
});
