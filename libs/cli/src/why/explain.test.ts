import { describe, expect, it } from "@jest/globals";
import type { InstallationStatus } from "@landscaper/api";
import {
  created,
  deployItem,
  ended,
  execution,
  failure,
  installation,
  now,
  open,
  type InstallationState,
} from "../../test/objects.ts";
import { explain } from "./explain.ts";
import { why } from "../../test/why.ts";

describe("an Installation", () => {
  const alone = (state: Partial<InstallationState>, ...others: readonly InstallationState[]): readonly string[] => {
    const subject = installation({ name: "app", ...state });
    return why(subject, { installations: [subject, ...others.map(installation)] });
  };
  const operation = (value: string) => ({ "landscaper.gardener.cloud/operation": value });
  const trigger = "  hint: trigger it: landscaper reconcile installation/app -n ns";
  const core = "  hint: check that the core runs and serves this cluster";

  it.each<[string, Partial<InstallationState>, readonly string[]]>([
    ["never triggered", {}, ["Installation app (not started): was never triggered", trigger]],
    [
      "triggered, not begun",
      { annotations: operation("reconcile") },
      ["Installation app (not started): was triggered, and the core has not begun the job yet", core],
    ],
    [
      "triggers itself",
      { annotations: { "landscaper.gardener.cloud/reconcile-policy": "on-change" } },
      ["Installation app (not started): was triggered, and the core has not begun the job yet", core],
    ],
    [
      "with a job in its last phase",
      { status: { phase: "Succeeded", jobID: "j2", jobIDFinished: "j1" } },
      ["Installation app (Succeeded): has a new job, and the core has not begun it yet", core],
    ],
    ["succeeded", { status: ended("Succeeded") }, ["Installation app (Succeeded): succeeded 3m ago"]],
    [
      "changed, not triggered",
      { generation: 2, status: ended("Succeeded") },
      [
        "Installation app (Succeeded): its spec has changed since the last job (generation 2, the job worked on 1), and nobody has triggered it",
        trigger,
      ],
    ],
    [
      "changed, triggers itself",
      {
        generation: 2,
        status: ended("Succeeded"),
        annotations: { "landscaper.gardener.cloud/reconcile-if-changed": "true" },
      },
      [
        "Installation app (Succeeded): its spec has changed since the last job (generation 2, the job worked on 1); a job begins by itself",
      ],
    ],
    [
      "failed by itself",
      { status: { ...ended("Failed"), ...failure("ImportsSatisfied", 'import "a": data object "a" was not found') } },
      [
        'Installation app (Failed): import "a": data object "a" was not found',
        "  hint: Create or correct what the message names, and trigger again.",
      ],
    ],
    [
      "failed and changed since",
      { generation: 2, status: { ...ended("Failed"), ...failure("Strange", "line 1\nline 2", ["ERR_TIMEOUT"]) } },
      [
        "Installation app (Failed): line 1",
        "  line 2",
        "  hint: The allowed time is over. The job ends; find out what was waited for, or allow more time.",
        trigger,
      ],
    ],
    ["failed without a message", { status: ended("Failed") }, ["Installation app (Failed): failed without a message"]],
    [
      "interrupted",
      { status: { ...ended("Failed"), ...failure("InterruptOperation", "operation was interrupted") } },
      ["Installation app (Failed): operation was interrupted", "  hint: Trigger again when you want."],
    ],
    [
      "at work by itself",
      { status: open("Completing") },
      ["Installation app (Completing): is in phase Completing for 3m"],
    ],
    [
      "retrying",
      { status: { ...open("Init"), ...failure("FetchPredecessors", "the server is away") } },
      ["Installation app (Init): is tried again: the server is away"],
    ],
    [
      "to be deleted, not begun",
      { isDeleting: true, status: ended("Succeeded") },
      ["Installation app (Succeeded): its deletion was requested, and no job has begun it yet", core],
    ],
    [
      "deletion failed",
      { isDeleting: true, status: { ...ended("DeleteFailed"), ...failure("SiblingImport", "a sibling imports: web") } },
      [
        "Installation app (DeleteFailed): a sibling imports: web",
        '  hint: Delete the sibling first, or set the annotation `landscaper.gardener.cloud/delete-ignore-successors: "true"` on this Installation.',
      ],
    ],
  ])("%s", (...[_name, state, lines]) => expect(alone(state)).toEqual(lines));

  it("waits for predecessors, and says what these wait for", () => {
    expect(
      alone(
        { from: ["db", "net"], status: open("Init") },
        { name: "database", to: ["db"], status: open("Completing", "j7") },
        { name: "network", to: ["net"], annotations: operation("reconcile") },
        { name: "done", to: ["other"], status: open("Completing") },
      ),
    ).toEqual([
      "Installation app (Init): waits for Installation database (Completing, job j7) and Installation network (not started, no job yet), whose exports it imports",
      "  Installation database (Completing): is in phase Completing for 3m",
      "  Installation network (not started): was triggered, and the core has not begun the job yet",
      "    hint: check that the core runs and serves this cluster",
    ]);
  });

  it("failed because a predecessor has", () => {
    const error = failure(
      "AllPredecessorsSucceeded",
      'not all predecessors succeeded: installation "database" (phase Failed)',
    );
    expect(
      alone(
        { from: ["db"], status: { ...ended("Failed"), ...error } },
        {
          name: "database",
          to: ["db"],
          status: { ...ended("Failed", "j0"), ...failure("ResolveBlueprint", "no blueprint") },
        },
      ),
    ).toEqual([
      'Installation app (Failed): not all predecessors succeeded: installation "database" (phase Failed)',
      "  hint: Correct the failure of that sibling, and trigger the sibling; this one follows when it succeeds.",
      "  Installation database (Failed): no blueprint",
      "    hint: Check spec.blueprint, and that the resource is a blueprint.",
    ]);
  });

  it("ends where predecessors wait for each other", () => {
    const ring = { from: ["b"], to: ["a"], status: open("Init") };
    expect(alone(ring, { name: "other", from: ["a"], to: ["b"], status: open("Init") }).at(-1)).toBe(
      "    Installation app (Init): see above: they wait for each other",
    );
  });

  it.each<[string, Record<string, string>, readonly string[]]>([
    [
      "waits for its successors to be deleted",
      {},
      [
        "Installation app (InitDelete): waits for the deletion of Installation web, which imports what it exports",
        "  hint: delete what imports from it, or: landscaper delete installation/app -n ns --ignore-successors",
      ],
    ],
    [
      "does not wait when it is to ignore them",
      { "landscaper.gardener.cloud/delete-ignore-successors": "true" },
      ["Installation app (InitDelete): is in phase InitDelete for 3m"],
    ],
  ])("%s", (...[_name, annotations, lines]) => {
    const state = { isDeleting: true, to: ["a"], annotations, status: open("InitDelete") };
    expect(alone(state, { name: "web", from: ["a"], status: ended("Succeeded") })).toEqual(lines);
  });
});

describe("a tree", () => {
  const root = installation({ name: "root", status: open("Progressing") });
  const tree = (rootStatus: Partial<InstallationStatus>, subStatus: Partial<InstallationStatus> | undefined) => {
    const parent = installation({ name: "root", status: rootStatus });
    const sub = installation({ name: "db-1", item: "database", parent, ...(subStatus && { status: subStatus }) });
    return { parent, sub };
  };

  it("waits for the deploy items at its leaves", () => {
    const { parent, sub } = tree(open("Progressing"), open("Progressing"));
    const own = execution(parent, ended("Succeeded", "j2"));
    const below = execution(sub, open("Progressing"));
    const items = [
      deployItem(below, { item: "a", status: ended("Succeeded", "j2") }),
      deployItem(below, {
        item: "b",
        dependsOn: "a",
        status: { ...open("Progressing"), lastReconcileTime: "2026-01-01T00:08:00Z" },
      }),
      deployItem(below, { item: "c", dependsOn: "a,b", status: ended("Succeeded") }),
    ];
    expect(why(parent, { installations: [parent, sub], executions: [own, below], deployItems: items })).toEqual([
      "Installation root (Progressing): waits for its sub-objects",
      "  Installation database (db-1) (Progressing): waits for its sub-objects",
      "    Execution db-1 (Progressing): waits for 2 of 3 deploy items",
      "      DeployItem b (db-1-b) (Progressing): is being deployed (started 2m ago, 8m left)",
      "      DeployItem c (db-1-c) (Succeeded): waits for b (dependsOn)",
    ]);
  });

  it("failed because of the leaf that failed first, not of what followed from it", () => {
    const { parent, sub } = tree({ ...ended("Failed"), ...failure("DeployItemsFailed", "long path") }, ended("Failed"));
    const below = execution(sub, ended("Failed"));
    const late = { ...ended("Failed"), transitionTimes: { finishedTime: "2026-01-01T00:09:00Z" } };
    const items = [
      deployItem(below, { item: "a", status: { ...late, ...failure("PickupTimeout", "too late") } }),
      deployItem(below, {
        item: "b",
        status: { ...ended("Failed"), ...failure("InvalidManifest", "manifests[0]: no kind") },
      }),
      deployItem(below, { item: "old", status: { ...ended("Failed", "j0"), ...failure("InvalidManifest", "old") } }),
    ];
    expect(why(parent, { installations: [parent, sub], executions: [below], deployItems: items })).toEqual([
      "Installation root (Failed): failed because of Installation database (db-1)",
      "  Installation database (db-1) (Failed): failed because of Execution db-1",
      "    Execution db-1 (Failed): failed because of DeployItem b (db-1-b), the first of 2 sub-objects that failed",
      "      DeployItem b (db-1-b) (Failed): manifests[0]: no kind",
      "        hint: Correct the manifest that the message names.",
    ]);
  });

  it("was interrupted", () => {
    const { parent } = tree(ended("Failed"), undefined);
    const own = execution(parent, ended("Failed"));
    const error = failure("InterruptOperation", "operation was interrupted");
    const items = [deployItem(own, { item: "a", status: { ...ended("Failed"), ...error } })];
    const objects = { installations: [parent], executions: [own], deployItems: items };
    expect(explain({ subject: parent, objects, targets: new Set() }, now)).toMatchObject({
      state: "interrupted",
      because: [{ state: "interrupted", because: [{ state: "interrupted", message: "operation was interrupted" }] }],
    });
  });

  it.each<[string, Partial<InstallationStatus> | undefined, string]>([
    [
      "has had no job",
      undefined,
      "Installation database (db-1) (not started): waits for the first job of its parent, Installation root",
    ],
    [
      "was changed by somebody",
      { ...ended("Succeeded"), observedGeneration: 0 },
      "Installation database (db-1) (Succeeded): its spec has changed since the last job (generation 1, the job worked on 0)",
    ],
  ])("a sub-installation %s", (...[_name, status, line]) => {
    const { parent, sub } = tree(open("Progressing"), status);
    expect(why(sub, { installations: [parent, sub] })[0]).toBe(line);
  });

  it("waits for the deletion of orphans alone", () => {
    const parent = installation({ name: "root", status: open("CleanupOrphaned") });
    const orphan = installation({ name: "old", item: "old", parent, isDeleting: true, status: open("TriggerDelete") });
    const kept = installation({ name: "kept", item: "kept", parent, status: ended("Succeeded") });
    expect(why(parent, { installations: [parent, orphan, kept] })).toEqual([
      "Installation root (CleanupOrphaned): waits for the deletion of what the blueprint has no more",
      "  Installation old (old) (TriggerDelete): is in phase TriggerDelete for 3m",
    ]);
  });

  it("tells of failures while others are still at work", () => {
    const own = execution(root, open("Progressing"));
    const items = [
      deployItem(own, { item: "a", status: { ...ended("Failed", "j2"), ...failure("PickupTimeout", "nobody came") } }),
      deployItem(own, { item: "b", status: open("Progressing") }),
      deployItem(own, { item: "c", dependsOn: "b", status: ended("Succeeded") }),
    ];
    expect(why(own, { installations: [root], executions: [own], deployItems: items })).toEqual([
      "Execution root (Progressing): waits for 2 of 3 deploy items; 1 failed already",
      "  DeployItem a (root-a) (Failed): nobody came",
      "    hint: Run a deployer for its type whose target selectors accept its Target, or correct the type of the item.",
      "  DeployItem b (root-b) (Progressing): is being deployed",
      "  DeployItem c (root-c) (Succeeded): is not started, because deploy item a has failed",
    ]);
  });

  it("shows ten causes at most", () => {
    const own = execution(root, open("Progressing"));
    const items = Array.from({ length: 12 }, (_, index) =>
      deployItem(own, { item: `i${index}`, status: open("Progressing") }),
    );
    expect(why(own, { executions: [own], deployItems: items }).at(-1)).toBe("  ... 2 more");
  });

  it("ends with the warnings of the object and of all below it, ten at most", () => {
    const warned = (message: string) => ({
      conditions: [
        {
          type: "Warnings",
          status: "True" as const,
          reason: "UnknownField",
          message,
          lastTransitionTime: created,
          lastUpdateTime: created,
        },
      ],
    });
    const subject = installation({ name: "root", status: { ...ended("Succeeded"), ...warned("first") } });
    const own = execution(subject, ended("Succeeded"));
    const items = Array.from({ length: 11 }, (_, index) =>
      deployItem(own, { item: `i${index + 10}`, status: { ...ended("Succeeded"), ...warned("unknown field") } }),
    );
    const world = { installations: [subject], executions: [own], deployItems: items };
    const lines = why(subject, world);
    expect([...lines.slice(0, 3), ...lines.slice(-1)]).toEqual([
      "Installation root (Succeeded): succeeded 3m ago",
      "  warning: Installation root: first",
      "  warning: DeployItem i10 (root-i10): unknown field",
      "  ... 2 more warnings",
    ]);
    expect(lines).toHaveLength(12);
    expect(why(own, world)[1]).toBe("  warning: DeployItem i10 (root-i10): unknown field");
  });

  it.each<[string, Parameters<typeof execution>[1], string]>([
    ["without a job", undefined, "Execution root (not started): its Installation has not handed a job to it yet"],
    ["that succeeded", ended("Succeeded"), "Execution root (Succeeded): succeeded 3m ago"],
    ["that collects exports", open("Completing"), "Execution root (Completing): is in phase Completing for 3m"],
    [
      "that failed by itself",
      { ...ended("Failed"), ...failure("CollectExports", "the Secret holds no YAML") },
      "Execution root (Failed): the Secret holds no YAML",
    ],
  ])("an Execution %s", (...[_name, status, line]) => {
    const own = execution(root, status);
    expect(why(own, { installations: [root], executions: [own] })[0]).toBe(line);
  });
});
