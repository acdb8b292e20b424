// Operations "plan-other-helm", "plan-helm-3" and "plan-helm-4": what a switch of the version of Helm would change, and nothing changes.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, operations, resources, type DeployItem } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { mapChart, useHelmBench, type Config } from "../../test/helm-bench.ts";
import { helmSpec, rawChart, type ChartFiles } from "../../test/index.ts";

const bench = useHelmBench({ helmVersion: "3" });

interface Plan {
  readonly summary: string;
  readonly text: string;
  readonly changes: readonly unknown[];
  readonly details?: { readonly helm?: object };
}

function plannedOf({ status }: DeployItem) {
  return status?.conditions?.find(({ type }) => type === "Planned");
}

/** Asks for a plan, and returns the item with the answer. */
async function ask(operation: string, config?: Config): Promise<DeployItem> {
  const { hubClient } = bench.fixture;
  const key = { namespace: bench.namespace, name: "item" };
  const body = {
    metadata: { annotations: { [annotations.operation]: operation } },
    ...(config === undefined ? {} : { spec: helmSpec(bench.namespace, config) }),
  };
  await hubClient.patch(resources.deployItem, key, { type: "merge", body });
  return await waitFor(async () => {
    const item = await hubClient.get(resources.deployItem, key);
    return item.metadata.annotations?.[annotations.operation] === undefined ? item : undefined;
  });
}

async function plan(operation: string = operations.planOtherHelm, config?: Config): Promise<Plan> {
  const answered = await ask(operation, config);
  expect([plannedOf(answered)?.status, plannedOf(answered)?.message]).toEqual(["True", expect.anything()]);
  const key = { namespace: bench.namespace, name: "item-plan" };
  const { data = {} } = await bench.fixture.hubClient.get(kubeResources.secret, key);
  const read = (entry: string): string => Buffer.from(data[entry] ?? "", "base64").toString();
  return { ...(JSON.parse(read("plan.json")) as Plan), text: read("plan.txt") };
}

const map = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { value: ${value} }\n`;
const helm = "{{ .Capabilities.HelmVersion.Version | quote }}";
const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 0
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }, annotations: { helm: ${helm} } }
    spec: { containers: [{ name: main, image: "registry.example.test/main:1" }] }
`;
const hook = map("hook", helm).replace("name: hook", 'name: hook, annotations: { "helm.sh/hook": pre-upgrade }');

async function configOf(files: ChartFiles, more: Config = {}): Promise<Config> {
  return { chart: await rawChart(files), ...more };
}

/** Everything that a job changes. */
async function state(): Promise<unknown> {
  const { status } = await bench.scope.get("item");
  const { conditions: _conditions, ...job } = status ?? {};
  return [await bench.revisions(), job, await bench.data(), await bench.data("a")];
}

describe("a plan of a switch", () => {
  it("says which objects change, why, and which pods restart, and nothing changes", async () => {
    const files = { "values.yaml": "x: null\n", "templates/a.yaml": map("a", '{{ hasKey .Values "x" | quote }}') };
    const all = { ...files, "templates/web.yaml": web, "templates/hook.yaml": hook };
    // Nothing runs Deployments here.
    await bench.deploy(await configOf(all, { readinessChecks: { disableDefault: true } }));
    const before = await state();
    const { namespace } = bench;
    const { summary, text, changes, details } = await plan();
    expect(text).toBe(`Helm 3 (of its release) -> Helm 4: 3 to update, 1 workload restarts pods
update ConfigMap ${namespace}/a: R1-R5 null in values.yaml
update Deployment ${namespace}/web: R13 .Capabilities.HelmVersion; restarts pods
update hook ConfigMap ${namespace}/hook: R13 .Capabilities.HelmVersion
`);
    expect(summary).toBe("Helm 3 (of its release) -> Helm 4: 3 to update, 1 workload restarts pods");
    expect(changes[1]).toEqual({
      type: "update",
      resource: { apiVersion: "apps/v1", kind: "Deployment", namespace, name: "web" },
      hook: false,
      causes: ["R13"],
      restartsPods: true,
    });
    expect(details).toEqual({
      helm: { version: "3", source: "release", recorded: "3", switch: { to: "4", result: "changes" } },
    });
    expect(await state()).toEqual(before);
  });

  it("names objects that appear and disappear", async () => {
    const appears = `{{ if not (hasKey .Values "x") }}\n${map("new", "x")}{{ else }}\n${map("old", "x")}{{ end }}`;
    await bench.deploy(await configOf({ "values.yaml": "x: null\n", "templates/a.yaml": appears }));
    const { text } = await plan();
    expect(text.split("\n").slice(1).toSorted()).toEqual([
      "",
      `create ConfigMap ${bench.namespace}/new: R1-R5 null in values.yaml`,
      `delete ConfigMap ${bench.namespace}/old: R1-R5 null in values.yaml`,
    ]);
  });

  it.each<[string, string, string]>([
    ["the same text", map("a", "x").trimEnd(), "no change"],
    ["other white space", `${map("a", "x")}\n\n`, "white space only"],
    [
      "another order",
      `apiVersion: example.org/v1\nkind: Alpha\nmetadata: { name: a }\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: { name: w }\n`,
      "order of objects only (R8)",
    ],
  ])("of an item without a release says what differs: %s", async (_, template, verdict) => {
    const config = await configOf({ "templates/a.yaml": template }, { helmDeployment: false });
    // A job would fail for objects of a kind that the target does not know.
    await bench.deploy({ ...config, ...(await configOf({ "templates/a.yaml": map("a", "x") })) });
    expect((await plan(operations.planOtherHelm, config)).text).toBe(
      `Helm 3 (of its last job) -> Helm 4: ${verdict}\n`,
    );
  });

  it("of a release with other white space says so, and that the item works as the version already", async () => {
    await bench.deploy(await configOf({ "templates/a.yaml": `${map("a", "x")}\n\n` }, { helmVersion: "4" }));
    expect((await plan()).text).toBe("Helm 4 (set by the item) -> Helm 3: white space only\n");
    expect((await plan(operations.planHelm4)).text).toBe("Helm 4 (set by the item) -> Helm 4: no switch\n");
    expect((await plan(operations.planHelm3)).details).toMatchObject({
      helm: { switch: { to: "3", result: "whiteSpace" } },
    });
  });

  it("says that objects change with each revision", async () => {
    await bench.deploy(await configOf(mapChart));
    expect((await plan()).text).toBe(`Helm 3 (of its release) -> Helm 4: 1 to update
update ConfigMap ${bench.namespace}/app-map: each new revision changes it
`);
  });

  it("says that random values cannot be known, and names the other changes", async () => {
    const login = map("login", "{{ genPassword | quote }}").replaceAll("genPassword", "randAlphaNum 12");
    await bench.deploy(await configOf({ "templates/a.yaml": login, "templates/b.yaml": map("b", helm) }));
    const { text, details } = await plan();
    expect(text)
      .toBe(`Helm 3 (of its release) -> Helm 4: cannot be known, because templates render differently each time; 1 to update, 1 unknown
unknown ConfigMap ${bench.namespace}/login: rendered differently each time
update ConfigMap ${bench.namespace}/b: R13 .Capabilities.HelmVersion
`);
    expect(details).toMatchObject({ helm: { switch: { result: "unknown" } } });
  });

  it("says that the other version refuses the chart, without secrets", async () => {
    const files = {
      "templates/a.yaml": map("a", "{{ if .Chart.Nope }}{{ else }}{{ .Values.password | quote }}{{ end }}"),
    };
    const failing = {
      "templates/a.yaml": `{{ if eq (kindOf .Chart) "struct" }}{{ fail .Values.password }}{{ end }}${map("a", "x")}`,
    };
    const config = { helmVersion: "4", values: { password: "correct-horse" } };
    await bench.deploy(await configOf(files, config));
    const { text, summary } = await plan();
    expect(summary).toBe("Helm 4 (set by the item) -> Helm 3: Helm 3 refuses the chart");
    expect(text).toContain("Helm 3 refuses the chart: chart app:");
    expect(text).toContain("can't evaluate field Nope");
    await bench.annotate(annotations.sensitiveConfig, '["/values/password"]');
    const masked = await plan(operations.planHelm3, await configOf(failing, config));
    expect(masked.details).toMatchObject({ helm: { switch: { result: "refused" } } });
    expect(JSON.stringify(masked)).not.toContain("correct-horse");
  });

  it("fails if the chart does not suit the version of the item, with the hint", async () => {
    await bench.deploy(await configOf({ "templates/a.yaml": map("a", "{{ .Chart.Nope | quote }}") }));
    const planned = plannedOf(await ask(operations.planOtherHelm));
    expect([planned?.status, planned?.message]).toEqual([
      "False",
      expect.stringContaining("only Helm 4 accepts this chart"),
    ]);
  });

  it("has no effect on a job", async () => {
    const config = await configOf({ "templates/a.yaml": map("a", helm) });
    await bench.deploy(config);
    await bench.annotate(annotations.operation, operations.planHelm4);
    await bench.redeploy({ ...config, values: { more: 1 } });
    expect(await bench.data("a")).toEqual({ value: "v3.22.0" });
    await waitFor(async () => plannedOf(await bench.scope.get("item"))?.status === "True");
    expect((await plan(operations.planHelm4)).details).toMatchObject({ helm: { version: "3", source: "release" } });
  });

  it("of an item that is rolled back says that the version does not count", async () => {
    await bench.deploy(await configOf({ "templates/a.yaml": map("a", helm) }));
    await bench.annotate(annotations.helmRollbackTo, "1");
    expect((await plan()).summary).toBe("Helm 3 (of its last job) -> Helm 4: no change while the item is rolled back");
  });
});

describe("a plan of a job", () => {
  it.each([true, false])(
    "names the version if the last job had another one, with helmDeployment %s",
    async (isRelease) => {
      const config = await configOf({ "templates/a.yaml": `${map("a", "x")}\n\n` }, { helmDeployment: isRelease });
      await bench.deploy(config);
      expect((await plan(operations.plan)).text).toBe("1 unchanged\n");
      const { text, details, changes } = await plan(operations.plan, { ...config, helmVersion: "4" });
      expect([text, changes]).toEqual(["works as Helm 4, the last job worked as Helm 3\n1 unchanged\n", []]);
      expect(details).toEqual({ helm: { version: "4", source: "item", recorded: "3" } });
    },
  );
});
