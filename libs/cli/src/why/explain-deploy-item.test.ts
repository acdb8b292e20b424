import { describe, expect, it } from "@jest/globals";
import { explainReason, type DeployItemStatus } from "@landscaper/api";
import { deployItem, ended, execution, failure, installation, open, type DeployItemState } from "../../test/objects.ts";
import { why } from "../../test/why.ts";

describe("a deploy item", () => {
  const parent = execution(installation({ name: "app" }), open("Progressing"));
  const picked = { ...open("Progressing"), lastReconcileTime: "2026-01-01T00:08:00Z" };
  const waiting = { ...open("Succeeded"), jobIDGenerationTime: "2026-01-01T00:06:00Z" };
  const reconciling = (message: string): NonNullable<DeployItemStatus["conditions"]> => [
    { type: "Reconciling", status: "True", reason: "Progressing", message, lastTransitionTime: "", lastUpdateTime: "" },
  ];
  const silence: NonNullable<DeployItemStatus["conditions"]> = [
    {
      type: "EnvironmentReachable",
      status: "False",
      reason: "AgentSilent",
      message: "Environment edge acts for the Target: the agent is silent",
      lastTransitionTime: "",
      lastUpdateTime: "",
    },
  ];
  const hint = "  hint: check that a deployer for the type runs";

  it.each<[string, Omit<DeployItemState, "item">, readonly string[]]>([
    [
      "waits for pickup",
      { status: waiting },
      [
        "(Succeeded): waits for 4m for a deployer of type landscaper.gardener.cloud/mock; none has ever taken an item of this type in the namespace",
        hint,
      ],
    ],
    [
      "waits for pickup, the target is there",
      { status: waiting, spec: { type: "x", target: { name: "here" } } },
      ["(Succeeded): waits for 4m for a deployer of type x", `${hint} whose target selectors accept the Target`],
    ],
    [
      "waits for pickup, the target is missing",
      { status: waiting, spec: { target: { name: "gone" } } },
      [
        '(Succeeded): waits for 4m for a deployer of type landscaper.gardener.cloud/mock; its Target "gone" does not exist',
        "  hint: create the Target, or correct the import that the item takes it from",
      ],
    ],
    [
      "waits for pickup by a silent Environment",
      { status: { ...waiting, conditions: silence }, spec: { type: "x", target: { name: "here" } } },
      [
        "(Succeeded): waits for 4m for a deployer of type x. Environment edge acts for the Target: the agent is silent",
        "  hint: look at the agent and at its connection to the landscaper cluster; the job goes on when it is back",
      ],
    ],
    [
      "waits for an Environment that does not serve the namespace",
      {
        status: { ...waiting, conditions: [{ ...silence[0]!, reason: "NamespaceNotServed", message: "not served" }] },
        spec: { type: "x", target: { name: "here" } },
      },
      [
        "(Succeeded): waits for 4m for a deployer of type x. not served",
        "  hint: add the namespace to spec.namespaces of the Environment, or use a Target of another Environment",
      ],
    ],
    [
      "is worked on by a silent Environment",
      { status: { ...picked, conditions: silence } },
      [
        "(Progressing): is being deployed (started 2m ago, 8m left). Environment edge acts for the Target: the agent is silent",
        "  hint: look at the agent and at its connection to the landscaper cluster; the job goes on when it is back",
      ],
    ],
    [
      "is worked on",
      { status: { ...picked, deployer: { name: "mock" } } },
      ["(Progressing): is being deployed by mock (started 2m ago, 8m left)"],
    ],
    [
      "is worked on without a limit",
      { status: picked, spec: { timeout: "none" } },
      ["(Progressing): is being deployed for 2m"],
    ],
    [
      "is worked on, its timeout is no duration",
      { status: picked, spec: { timeout: "soon" } },
      ["(Progressing): is being deployed for 2m"],
    ],
    [
      "is late",
      { status: picked, spec: { timeout: "90s" } },
      ["(Progressing): is being deployed (started 2m ago, the deadline passed 30s ago)"],
    ],
    [
      "is being deleted",
      { isDeleting: true, status: { ...picked, phase: "Deleting" } },
      ["(Deleting): is being deleted (started 2m ago, 8m left)"],
    ],
    [
      "waits for readiness",
      { status: { ...picked, conditions: reconciling("waiting for readiness of Deployment web") } },
      ["(Progressing): waiting for readiness of Deployment web (started 2m ago, 8m left)"],
    ],
    [
      "retries",
      { status: { ...picked, ...failure("TargetUnreachable", "no answer") } },
      [
        "(Progressing): is tried again: no answer (started 2m ago, 8m left)",
        "  hint: Check its address and the network.",
      ],
    ],
    ...["TargetRefused", "TargetSecretMissing", "PodRefused"].map(
      (reason): [string, Omit<DeployItemState, "item">, readonly string[]] => [
        `retries briefly (${reason})`,
        { status: { ...picked, ...failure(reason, "refused") } },
        ["(Progressing): is tried again: refused (started 2m ago)", `  hint: ${explainReason(reason)?.fix}`],
      ],
    ),
    [
      "has failed",
      { status: { ...ended("Failed", "j2"), ...failure("NoTarget", "no target") } },
      ["(Failed): no target", "  hint: Add target to the deploy item."],
    ],
    ["has succeeded", { status: ended("Succeeded", "j2") }, ["(Succeeded): succeeded 3m ago"]],
    ["is new", {}, ["(not started): waits for its Execution to start it"]],
  ])("%s", (...[_name, state, lines]) => {
    const item = deployItem(parent, { item: "a", ...state });
    const other = deployItem(parent, { item: "other", spec: { type: "x" }, status: { deployer: { name: "x" } } });
    const world = { executions: [parent], deployItems: [item, other], targets: ["here"] };
    expect(why(item, world)).toEqual([`DeployItem a (app-a) ${lines[0]}`, ...lines.slice(1)]);
  });

  it("has had no job", () => {
    const idle = execution(installation({ name: "app" }));
    const item = deployItem(idle, { item: "a" });
    expect(why(item, { executions: [idle], deployItems: [item] })).toEqual([
      "DeployItem a (app-a) (not started): no job has been handed to it yet",
    ]);
  });

  it("is deleted after what depends on it", () => {
    const item = deployItem(parent, { item: "a", isDeleting: true, status: ended("Succeeded") });
    const after = deployItem(parent, { item: "b", dependsOn: "a", isDeleting: true, status: open("Deleting") });
    expect(why(item, { executions: [parent], deployItems: [item, after] })).toEqual([
      "DeployItem a (app-a) (Succeeded): is deleted after b, which depends on it",
    ]);
  });

  describe("whose deletion was requested", () => {
    const requested = "its deletion was requested 10m ago, and waits for";
    const root = installation({ name: "app", status: ended("Succeeded") });
    const sub = installation({ name: "app-db", parent: root, item: "db", status: ended("Succeeded") });
    const idle = execution(sub, ended("Succeeded"));
    const state = { item: "a", isDeleting: true, status: ended("Succeeded") };
    const item = deployItem(idle, state);

    it("waits for the next job of its root Installation", () => {
      expect(why(item, { installations: [root, sub], executions: [idle], deployItems: [item] })).toEqual([
        `DeployItem a (app-db-a) (Succeeded): ${requested} the next job of Installation app`,
        "  hint: trigger it: landscaper reconcile installation/app -n ns. The job uninstalls the item. It deploys the item again if the blueprint still has it",
      ]);
    });

    it("waits for the deletion of its root Installation", () => {
      const deleting = installation({ name: "app", isDeleting: true, status: ended("Succeeded") });
      expect(why(item, { installations: [deleting, sub], executions: [idle], deployItems: [item] })).toEqual([
        `DeployItem a (app-db-a) (Succeeded): ${requested} the deletion of Installation app`,
      ]);
    });

    it("waits without a job when its Execution does not exist", () => {
      expect(why(item, { deployItems: [item] })).toEqual([
        `DeployItem a (app-db-a) (Succeeded): ${requested} a job, but its Execution does not exist`,
        "  hint: to remove the item and leave its objects on the target: kubectl annotate deployitem app-db-a -n ns landscaper.gardener.cloud/delete-without-uninstall=true",
      ]);
    });

    it("waits for finalizers of others", () => {
      const held = { ...item, metadata: { ...item.metadata, finalizers: ["example.org/a", "example.org/b"] } };
      expect(why(held, { installations: [root, sub], executions: [idle], deployItems: [held] })).toEqual([
        `DeployItem a (app-db-a) (Succeeded): ${requested} others to remove the finalizers example.org/a and example.org/b`,
      ]);
    });

    it("has failed to be deleted", () => {
      const failed = deployItem(idle, { ...state, status: { ...ended("DeleteFailed"), ...failure("X", "refused") } });
      expect(why(failed, { installations: [root, sub], executions: [idle], deployItems: [failed] })).toEqual([
        "DeployItem a (app-db-a) (DeleteFailed): refused",
      ]);
    });
  });
});
