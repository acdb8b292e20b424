import { describe, expect, it } from "@jest/globals";
import { LandscaperError, type ManagedDeployer, type PolicyRule, type Role } from "@landscaper/api";
import { environment } from "../../../test/deployer-management.ts";
import { observedDeployer, type TestDeployerState } from "../../../test/observed-deployers.ts";
import { describeDeployer, patienceLeftMs } from "./describe-deployer.ts";
import { reportEnvironment, type EnvironmentReport } from "./report-environment.ts";

const now = new Date("2026-06-01T00:01:00Z");
const elapsedMs = 60_000;
const [longAgo, justNow] = [0, 55_000];

const lastError = { operation: "o", reason: "r", message: "broken", lastTransitionTime: "", lastUpdateTime: "" };

describe("a deployer in the status of its Environment", () => {
  const common = { name: "a-env", registration: "a" };
  it.each<[string, Omit<TestDeployerState, "registration">, Partial<ManagedDeployer>]>([
    ["has succeeded", { version: "v1" }, { phase: "Succeeded", version: "v1" }],
    ["does not tell of old errors then", { status: { lastError } }, { phase: "Succeeded" }],
    ["is in work while it has a job", { status: { jobID: "2" } }, { phase: "Progressing" }],
    ["is in work until a job has seen its spec", { status: { observedGeneration: 0 } }, { phase: "Progressing" }],
    ["has failed", { status: { phase: "Failed", lastError } }, { phase: "Failed", message: "broken" }],
    ["is being removed", { isDeleting: true }, { phase: "Deleting" }],
    [
      "could not be removed",
      { isDeleting: true, status: { phase: "DeleteFailed", lastError } },
      { phase: "Failed", message: "broken" },
    ],
    [
      "waits for types that nobody has picked up for long",
      {
        status: { jobID: "2" },
        waiting: [
          { type: "b", sinceMs: longAgo },
          { type: "a", sinceMs: longAgo },
          { type: "c", sinceMs: justNow },
        ],
      },
      { phase: "Progressing", waitsFor: ["a", "b"] },
    ],
  ])("%s", (_, state, expected) => {
    const deployer = observedDeployer({ registration: "a", ...state });
    expect(describeDeployer(deployer, elapsedMs)).toEqual({ ...common, ...expected });
  });

  it("is looked at again when its items have waited for too long", () => {
    const deployer = observedDeployer({
      registration: "a",
      waiting: [
        { type: "a", sinceMs: longAgo },
        { type: "c", sinceMs: justNow },
      ],
    });
    expect(patienceLeftMs(deployer, elapsedMs)).toBe(5_000);
    expect(patienceLeftMs(observedDeployer({ registration: "a" }), elapsedMs)).toBeUndefined();
  });
});

const none = { fields: {}, condition: undefined, clockCondition: undefined };

describe("the status of an Environment", () => {
  const limited = environment("env", { namespaces: ["one"] });
  const a = { registration: "a", environment: "env" };
  const error = new LandscaperError({ message: "no", reason: "DeployerConflict", retry: "never" });
  const failed = observedDeployer({ registration: "f", status: { phase: "Failed" } });
  const busy = observedDeployer({ registration: "p", status: { jobID: "2" } });
  const report = (fields: Partial<EnvironmentReport>) =>
    reportEnvironment(
      {
        environment: limited,
        deployers: [],
        wanted: [],
        held: [],
        refused: [],
        failures: [],
        heartbeat: none,
        remainingItems: [],
        bootstrapRole: undefined,
        elapsedMs,
        ...fields,
      },
      now,
    );

  const summary = (phase: string, succeeded: string, message: string) => ({ phase, succeeded, message });

  it.each<[string, Partial<EnvironmentReport>, ReturnType<typeof summary>]>([
    ["without registrations", {}, summary("Succeeded", "0/0", "all deployers have succeeded")],
    [
      "with deployers that are still to be made",
      { wanted: [a] },
      summary("Progressing", "0/1", "deployers in work: a-env"),
    ],
    [
      "with a deployer that has failed",
      { deployers: [failed, busy] },
      summary("Failed", "0/2", "deployers that have failed: f-env"),
    ],
    [
      "with one that could not be written",
      { wanted: [a], failures: [{ names: a, error }] },
      summary("Failed", "0/1", "no"),
    ],
    ["with one that is refused", { refused: [{ names: a, error }] }, summary("Failed", "0/1", "no")],
    [
      "with an error that concerns all",
      { wanted: [a], failures: [{ names: undefined, error }] },
      summary("Failed", "0/1", "no"),
    ],
  ])("%s", (_, fields, { phase, succeeded, message }) => {
    const status = report(fields);
    expect([status.phase, status.succeeded]).toEqual([phase, succeeded]);
    expect(status.conditions?.map(({ type, status: is }) => `${type} ${is}`)).toEqual([
      `Ready ${phase === "Succeeded" ? "True" : "False"}`,
      `Reconciling ${phase === "Progressing" ? "True" : "False"}`,
      `Stalled ${phase === "Failed" ? "True" : "False"}`,
    ]);
    expect(new Set(status.conditions?.map((condition) => condition.message))).toEqual(new Set([message]));
  });

  it("keeps the times of what has not changed", () => {
    const first = report({ failures: [{ names: a, error }] });
    const again = reportEnvironment(
      {
        environment: { ...limited, status: first },
        deployers: [],
        wanted: [],
        held: [],
        refused: [],
        failures: [{ names: a, error }],
        heartbeat: none,
        remainingItems: [],
        bootstrapRole: undefined,
        elapsedMs,
      },
      new Date(now.getTime() + 60_000),
    );
    expect(again).toEqual(first);
  });

  it("says of an agent how it is, beside its deployers", () => {
    const fields = { lastHeartbeatTime: "2026-06-01T00:00:30Z", agentVersion: "v1", clusterVersion: "v2" };
    const condition = { type: "Reachable", status: "True", reason: "AgentAlive", message: "alive" } as const;
    const status = report({ heartbeat: { ...none, fields, condition } });
    expect(status).toMatchObject(fields);
    expect(status.conditions?.map(({ type, message }) => [type, message])).toEqual([
      ["Ready", "all deployers have succeeded"],
      ["Reconciling", "all deployers have succeeded"],
      ["Stalled", "all deployers have succeeded"],
      ["Reachable", "alive"],
    ]);
  });

  it.each([
    [undefined, "NoNamespacesNamed", "it has no spec.namespaces"],
    [["*"], "AllNamespacesNamed", 'spec.namespaces is ["*"]'],
  ])("warns of the namespaces %j, until some are named", (namespaces, reason, cause) => {
    const all = environment("env", namespaces === undefined ? {} : { namespaces });
    const status = report({ environment: all });
    expect(status.conditions?.map(({ type }) => type)).toEqual([
      "Ready",
      "Reconciling",
      "Stalled",
      "ReadsAllNamespaces",
    ]);
    expect(status.conditions?.[3]).toMatchObject({
      status: "True",
      reason,
      message: `the deployers of this Environment read the Secrets, DeployItems and Targets of all namespaces of the landscaper cluster: ${cause}. Name the namespaces that they need in spec.namespaces.`,
    });
    expect(report({ environment: { ...all, status } }).conditions).toEqual(status.conditions);
    const later = report({ environment: { ...limited, status } });
    expect(later.conditions?.map(({ type }) => type)).toEqual(["Ready", "Reconciling", "Stalled"]);
  });

  it("warns of an agent whose clock differs, and stays reachable", () => {
    const condition = { type: "Reachable", status: "True", reason: "AgentAlive", message: "alive" } as const;
    const clockCondition = { type: "AgentClockDiffers", status: "True", reason: "ClocksDiffer", message: "m" } as const;
    const status = report({ heartbeat: { ...none, condition, clockCondition } });
    expect(status.conditions?.map(({ type, status: is }) => [type, is]).slice(3)).toEqual([
      ["Reachable", "True"],
      ["AgentClockDiffers", "True"],
    ]);
    const later = report({ environment: { ...limited, status }, heartbeat: { ...none, condition } });
    expect(later.conditions?.map(({ type }) => type).slice(3)).toEqual(["Reachable"]);
  });

  const everySecret = { apiGroups: [""], resources: ["secrets"], verbs: ["get", "create", "update", "delete"] };
  const bootstrapRole = (...rules: readonly PolicyRule[]): Role => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { namespace: "ls-system", name: "landscaper-agent-env" },
    rules: [{ apiGroups: ["landscaper.gardener.cloud"], resources: ["targets"], verbs: ["get"] }, ...rules],
  });

  it("warns of an agent that reads all Secrets, until its Role has the rules of this release", () => {
    const status = report({ bootstrapRole: bootstrapRole(everySecret) });
    expect(status.conditions?.[3]).toMatchObject({
      type: "ReadsAllSecrets",
      status: "True",
      reason: "AgentRoleReadsSecrets",
      message:
        "the agent of this Environment reads all Secrets of namespace ls-system: Role landscaper-agent-env has the rules of an earlier release. Upgrade the agent, then run landscaper agent bootstrap --environment env of this release with the options of the first call.",
    });
    const later = report({ environment: { ...limited, status }, bootstrapRole: bootstrapRole() });
    expect(later.conditions?.map(({ type }) => type)).toEqual(["Ready", "Reconciling", "Stalled"]);
  });

  it.each<[string, PolicyRule, boolean]>([
    ["a list", { ...everySecret, verbs: ["list"] }, true],
    ["a watch", { ...everySecret, verbs: ["watch"] }, true],
    ["everything", { apiGroups: ["*"], resources: ["*"], verbs: ["*"] }, true],
    ["writes alone", { ...everySecret, verbs: ["create", "update", "delete"] }, false],
    ["named Secrets", { ...everySecret, resourceNames: ["a"] }, false],
    ["another group", { ...everySecret, apiGroups: ["example.org"] }, false],
    ["another kind", { ...everySecret, resources: ["configmaps"] }, false],
  ])("knows whether a rule for %s lets an agent read all Secrets", (_, rule, expected) => {
    const types = report({ bootstrapRole: bootstrapRole(rule) }).conditions?.map(({ type }) => type);
    expect(types?.includes("ReadsAllSecrets")).toBe(expected);
  });
});
