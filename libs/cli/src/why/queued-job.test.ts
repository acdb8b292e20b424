import { describe, expect, it } from "@jest/globals";
import type { InstallationStatus } from "@landscaper/api";
import { created, deployItem, ended, execution, installation, open, type DeployItemState } from "../../test/objects.ts";
import { why } from "../../test/why.ts";

describe("an Installation with a queued job", () => {
  const queued = { annotations: { "landscaper.gardener.cloud/operation": "reconcile" } };
  const startedAt = (minute: string) => ({
    ...open("Progressing"),
    lastReconcileTime: `2026-01-01T00:${minute}:00Z`,
  });
  const next = "  hint: the next job starts when this one ends";
  const now = `; to end this one now: landscaper interrupt installation/root -n ns --wait, then landscaper reconcile installation/root -n ns`;

  it.each<[string, Partial<InstallationStatus>, readonly Omit<DeployItemState, "item">[], string]>([
    ["by the deadline of its item", open("Progressing"), [{ status: startedAt("08") }], `${next}, in at most 8m${now}`],
    [
      "by the last deadline of its items",
      open("Progressing"),
      [{ status: startedAt("08") }, { status: startedAt("09") }, { status: ended("Succeeded", "j2") }],
      `${next}, in at most 9m${now}`,
    ],
    [
      "in less than a started minute",
      open("Progressing"),
      [{ spec: { timeout: "5m30s" }, status: startedAt("08") }],
      `${next}, in at most 4m${now}`,
    ],
    [
      "at an unknown time, as an item waits for another",
      open("Progressing"),
      [{ status: startedAt("08") }, { status: ended("Succeeded") }],
      `${next}${now}`,
    ],
    [
      "at an unknown time, as an item waits for a deployer",
      open("Progressing"),
      [{ status: { ...startedAt("08"), phase: "" } }, { status: { jobID: "j2", phase: "Init" } }],
      `${next}${now}`,
    ],
    [
      "at an unknown time, as the deadline has passed",
      open("Progressing"),
      [{ spec: { timeout: "1m" }, status: startedAt("08") }],
      `${next}${now}`,
    ],
    [
      "at an unknown time, as the Environment is silent",
      open("Progressing"),
      [
        {
          status: {
            ...startedAt("08"),
            conditions: [
              {
                type: "EnvironmentReachable",
                status: "False",
                message: "m",
                reason: "r",
                lastTransitionTime: created,
                lastUpdateTime: created,
              },
            ],
          },
        },
      ],
      `${next}${now}`,
    ],
    [
      "at an unknown time, as the Installation creates sub-objects",
      open("ObjectsCreated"),
      [{ status: startedAt("08") }],
      `${next}${now}`,
    ],
    ["which an interrupt does not hasten, as the Installation waits for predecessors", open("Init"), [], next],
  ])("says that it starts when the open one ends: %s", (...[_name, status, states, hint]) => {
    const subject = installation({ name: "root", ...queued, status });
    const own = execution(subject, open("Progressing"));
    const deployItems = states.map((state, index) => deployItem(own, { item: `i${index}`, ...state }));
    expect(why(subject, { installations: [subject], executions: [own], deployItems })[1]).toBe(hint);
  });

  it("takes the deadlines of sub-installations into account", () => {
    const parent = installation({ name: "root", ...queued, status: open("Progressing") });
    const sub = installation({ name: "db-1", item: "database", parent, status: open("Progressing") });
    const [own, below] = [execution(parent, open("Progressing")), execution(sub, open("Progressing"))];
    const deployItems = [
      deployItem(own, { item: "a", status: startedAt("05") }),
      deployItem(below, { item: "b", status: startedAt("07") }),
    ];
    const world = { installations: [parent, sub], executions: [own, below], deployItems };
    expect(why(parent, world)[1]).toBe(`${next}, in at most 7m${now}`);
    const waiting = installation({ name: "db-1", item: "database", parent, status: open("Init") });
    expect(why(parent, { ...world, installations: [parent, waiting] })[1]).toBe(`${next}${now}`);
  });
});
