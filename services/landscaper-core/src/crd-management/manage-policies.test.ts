import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  annotations,
  defaultBoundSettings,
  generateHubPolicies,
  generateEnvironmentPolicies,
  kubeResources,
  resources,
  type AdmissionObject,
} from "@landscaper/api";
import { isInvalid, type Client } from "@landscaper/controller-runtime";
import {
  createTestLogger,
  startEmbeddedCluster,
  waitFor,
  type EmbeddedCluster,
  type TestLogger,
} from "@landscaper/testkit";
import { managePolicies, type PolicyManagement } from "./manage-policies.ts";

const { validatingAdmissionPolicy: policies, validatingAdmissionPolicyBinding: bindings } = kubeResources;
const validations = generateHubPolicies();
const bounds = generateEnvironmentPolicies();
const all = { deployCrd: true, forceUpdate: true };
const unmanaged = { deployCrd: false, forceUpdate: true };
const bounded = bounds[0]?.metadata.name ?? "";

let cluster: EmbeddedCluster;
/** Writes by the core since the last test. */
const writes: string[] = [];

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
});
beforeEach(() => {
  cluster.server.setFault(({ userAgent, method, path }) => {
    if (userAgent.startsWith("core") && method !== "GET") writes.push(`${method} ${path}`);
    return undefined;
  });
});
afterEach(() => {
  writes.length = 0;
});
afterAll(() => cluster.stop());

async function run(options: Partial<PolicyManagement> = {}): Promise<TestLogger> {
  const log = createTestLogger();
  const management = {
    client: cluster.connect("core"),
    log,
    settings: all,
    managesDeployers: true,
    boundSettings: defaultBoundSettings,
    ...options,
  };
  await managePolicies(management, AbortSignal.timeout(20_000));
  return log;
}

const warnings = (log: TestLogger): string[] =>
  log.lines.filter(({ level }) => level === "warn").map(({ msg }) => String(msg));

const names = (objects: readonly AdmissionObject[]): string[] => [
  ...new Set(objects.map(({ metadata }) => metadata.name ?? "")),
];
async function listNames(): Promise<readonly [string[], string[]]> {
  const [made, bound] = await Promise.all([cluster.client.list(policies), cluster.client.list(bindings)]);
  return [names(made.items).toSorted(), names(bound.items).toSorted()];
}

describe("admission policies at the start of the core", () => {
  it("are required with deployCrd: false if the core manages deployers", async () => {
    expect(warnings(await run({ settings: unmanaged, managesDeployers: false }))).toEqual([]);
    await expect(run({ settings: unmanaged })).rejects.toMatchObject({
      reason: "AdmissionPoliciesMissing",
      message: expect.stringContaining(
        "does not have the admission policies deployitems.bounds.landscaper.gardener.cloud, ",
      ),
      hint: expect.stringContaining("apply crds/admission-policies.yaml"),
    });
    expect([writes, await listNames()]).toEqual([[], [[], []]]);
  });

  it("are made for objects of users alone, where there are no accounts of Environments", async () => {
    await run({ managesDeployers: false });
    const made = names(validations).toSorted();
    expect(await listNames()).toEqual([made, made]);
  });

  it("are made, each once by several replicas at a time, and in force", async () => {
    await Promise.all([run(), run(), run()]);
    const made = names([...validations, ...bounds]).toSorted();
    expect(await listNames()).toEqual([made, made]);
    expect((await cluster.client.list(policies)).items.map(({ metadata }) => metadata.generation)).toEqual(
      made.map(() => 1),
    );
    const bad = {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { name: "bad", namespace: "default" },
      spec: { type: "t", config: {}, secretRef: { name: "s" } },
    };
    await waitFor(
      async () => await cluster.client.create(resources.target, bad, { dryRun: true }).then(() => false, isInvalid),
    );
  });

  it("are not written again", async () => {
    const log = await run();
    expect([writes, log.lines]).toEqual([[], []]);
  });

  const weaken = async (client: Client): Promise<void> => {
    const policy = await client.get(policies, { name: bounded });
    await client.update(policies, { ...policy, spec: { ...policy.spec, failurePolicy: "Ignore" } });
    const binding = await client.get(bindings, { name: bounded });
    await client.update(bindings, { ...binding, spec: { ...binding.spec, validationActions: ["Audit"] } });
  };
  const strengthOf = async () => {
    const policy = await cluster.client.get(policies, { name: bounded });
    const binding = await cluster.client.get(bindings, { name: bounded });
    return [policy.spec.failurePolicy, ...binding.spec.validationActions];
  };

  it("are replaced if they are weaker, and refused if forceUpdate is off", async () => {
    await weaken(cluster.client);
    const stable = { deployCrd: true, forceUpdate: false };
    await expect(run({ settings: stable })).rejects.toMatchObject({
      reason: "AdmissionPoliciesMissing",
      message: `the landscaper cluster has weaker versions of the admission policies ${bounded}: nothing would bound the accounts of Environments`,
    });
    expect([writes, await strengthOf()]).toEqual([[], ["Ignore", "Audit"]]);
    await run();
    expect(await strengthOf()).toEqual(["Fail", "Deny"]);
    const path = "/apis/admissionregistration.k8s.io/v1";
    expect(writes.toSorted()).toEqual([
      `PUT ${path}/validatingadmissionpolicies/${bounded}`,
      `PUT ${path}/validatingadmissionpolicybindings/${bounded}`,
    ]);
  });

  it("are not changed with deployCrd: false: other rules give a warning, a missing binding an error", async () => {
    await run();
    expect((await run({ settings: unmanaged })).lines).toEqual([]);
    const { spec } = await cluster.client.get(policies, { name: bounded });
    const body = { spec: { validations: spec.validations?.slice(1) } };
    await cluster.client.patch(policies, { name: bounded }, { type: "merge", body });
    writes.length = 0;
    const log = await run({ settings: unmanaged });
    expect(log.lines).toMatchObject([{ level: "warn", policies: [bounded] }]);
    await cluster.client.delete(bindings, { name: bounded });
    await expect(run({ settings: unmanaged })).rejects.toMatchObject({
      message: `the landscaper cluster does not have the admission policies ${bounded}: nothing would bound the accounts of Environments`,
    });
    expect(writes).toEqual([]);
    await run();
    expect(await strengthOf()).toEqual(["Fail", "Deny"]);
  });

  it.each([
    [
      "of another namespace of deployer management",
      { boundSettings: { ...defaultBoundSettings, management: "other" } },
    ],
    ["with another binding", {}],
  ])("are refused with deployCrd: false if they are %s", async (title, options) => {
    await run();
    if (title === "with another binding") {
      const body = { spec: { matchResources: { namespaceSelector: { matchLabels: { a: "b" } } } } };
      await cluster.client.patch(bindings, { name: bounded }, { type: "merge", body });
    }
    await expect(run({ settings: unmanaged, ...options })).rejects.toMatchObject({
      message: expect.stringContaining("has weaker versions of the admission policies "),
    });
  });

  it("are accepted if they bound accounts of these names in all namespaces, and differ only in this", async () => {
    await run({ boundSettings: { ...defaultBoundSettings, management: undefined } });
    expect(warnings(await run({ settings: unmanaged }))).toHaveLength(1);
    await run();
  });

  it("stay if they are of a later release, as after a rollback, with a warning", async () => {
    const later = async (revision: string | null): Promise<void> => {
      const body = { metadata: { annotations: { [annotations.policyRevision]: revision } } };
      await cluster.client.patch(policies, { name: bounded }, { type: "merge", body });
      await cluster.client.patch(bindings, { name: bounded }, { type: "merge", body });
    };
    await weaken(cluster.client);
    await later("1000");
    const log = await run();
    expect(log.lines).toMatchObject([{ level: "warn", policies: [bounded] }]);
    expect(warnings(log)).toEqual(["the admission policies of a later release stay in force"]);
    expect([writes, await strengthOf()]).toEqual([[], ["Ignore", "Audit"]]);
    // Without the annotation they are of an earlier release.
    await later(null);
    await run();
    expect(await strengthOf()).toEqual(["Fail", "Deny"]);
    await run();
    expect(writes).toHaveLength(2);
  });

  it("say what helps when the rights are missing", async () => {
    cluster.server.setFault(({ method, path }) =>
      method === "GET" && path.includes("validatingadmissionpolicies/") ? { status: 403 } : undefined,
    );
    await expect(run()).rejects.toMatchObject({
      reason: "AdmissionPoliciesFailed",
      hint: "grant get, create and update for validatingadmissionpolicies and validatingadmissionpolicybindings, or apply crds/ yourself and set crdManagement.deployCrd to false",
    });
  });

  it("are needed where there are accounts of Environments: a core for an older API server does not start", async () => {
    cluster.server.setFault(({ path }) =>
      path.startsWith("/apis/admissionregistration.k8s.io/v1") ? { status: 404 } : undefined,
    );
    for (const deployCrd of [true, false]) {
      await expect(run({ settings: { deployCrd, forceUpdate: true } })).rejects.toMatchObject({
        reason: "AdmissionPoliciesMissing",
        message:
          "the landscaper cluster does not serve ValidatingAdmissionPolicies (admissionregistration.k8s.io/v1): nothing would bound the accounts of Environments",
        hint: "upgrade the landscaper cluster to Kubernetes 1.30 or newer, or set deployerManagement.disable to true",
      });
    }
    expect(warnings(await run({ managesDeployers: false }))).toEqual([
      "the landscaper cluster does not serve validatingadmissionpolicies: it takes objects that are not valid",
    ]);
  });
});
