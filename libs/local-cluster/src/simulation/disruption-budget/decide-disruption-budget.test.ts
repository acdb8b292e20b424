import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { recordAt } from "../../objects/json.ts";
import { decideDisruptionBudget } from "./decide-disruption-budget.ts";

const workload: UnstructuredObject = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db", uid: "s" },
  spec: { replicas: 5 },
};

function pod(ready: boolean, label = "db"): UnstructuredObject {
  const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
  return { apiVersion: "v1", kind: "Pod", metadata: { labels: { app: label } }, status: { conditions } };
}

/** "2 of 3 healthy, 4 expected, 0 may go" */
function describeBudget(limit: object, pods: readonly UnstructuredObject[]): string {
  const budget = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "b", generation: 3 },
    spec: { selector: { matchLabels: { app: "db" } }, ...limit },
  };
  const { actions } = decideDisruptionBudget({ budget, pods, workloadOf: () => workload, nowMs: 0 });
  const status = recordAt(actions[0], "status");
  const { currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed } = status;
  return `${String(currentHealthy)} of ${String(desiredHealthy)} healthy, ${String(expectedPods)} expected, ${String(disruptionsAllowed)} may go`;
}

describe("decideDisruptionBudget", () => {
  const three = [pod(true), pod(true), pod(false), pod(true, "other")];
  const rows: readonly (readonly [limit: object, pods: readonly UnstructuredObject[], want: string])[] = [
    [{ minAvailable: 1 }, three, "2 of 1 healthy, 3 expected, 1 may go"],
    [{ minAvailable: 2 }, three, "2 of 2 healthy, 3 expected, 0 may go"],
    [{ minAvailable: "50%" }, three, "2 of 3 healthy, 5 expected, 0 may go"],
    [{ maxUnavailable: 4 }, three, "2 of 1 healthy, 5 expected, 1 may go"],
    [{ maxUnavailable: "30%" }, three, "2 of 3 healthy, 5 expected, 0 may go"],
    [{ minAvailable: 0 }, [], "0 of 0 healthy, 0 expected, 0 may go"],
  ];
  it.each(rows)("with %j", (limit, pods, want) => {
    expect(describeBudget(limit, pods)).toBe(want);
  });
});
