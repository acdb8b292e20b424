import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { numberAt } from "../../objects/json.ts";
import type { Action } from "../actions.ts";
import type { Rollout } from "./rollout.ts";
import { tolerances } from "./rollout.ts";
import { rollForward, scaleToSize } from "./scale-sets.ts";

interface Size {
  readonly replicas: number;
  readonly available?: number;
  /** Of the Deployment when the set was scaled last, with its surge. */
  readonly maximum?: number;
}

function set(name: string, { replicas, available = replicas, maximum }: Size): UnstructuredObject {
  const annotations = maximum === undefined ? {} : { "deployment.kubernetes.io/max-replicas": String(maximum) };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name, uid: name, annotations, creationTimestamp: `2026-01-01T00:00:0${name.length}Z` },
    spec: { replicas },
    status: { availableReplicas: available },
  };
}

function rollout(
  replicas: number,
  rolling: object,
  sets: { readonly old: readonly Size[]; readonly now?: Size },
): Rollout {
  return {
    deployment: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: { replicas, strategy: { type: "RollingUpdate", rollingUpdate: rolling } },
    },
    newSet: sets.now === undefined ? undefined : set("new", sets.now),
    oldSets: sets.old.map((size, i) => set(`old-${i}`, size)),
  };
}

/** "new 2, old-0 1": the sizes that the actions give. */
function sizes(actions: readonly Action[]): string {
  return actions.map(({ object }) => `${object.metadata.name} ${numberAt(object, "spec", "replicas")}`).join(", ");
}

const quarter = { maxSurge: "25%", maxUnavailable: "25%" };

describe("tolerances", () => {
  const rows: readonly (readonly [replicas: number, rolling: object, more: string])[] = [
    [4, quarter, "1 more, 1 less"],
    [1, quarter, "1 more, 0 less"],
    [10, quarter, "3 more, 2 less"],
    [3, { maxSurge: 0, maxUnavailable: "10%" }, "0 more, 1 less"],
    [3, { maxSurge: 2, maxUnavailable: 0 }, "2 more, 0 less"],
    [2, { maxSurge: 0, maxUnavailable: 5 }, "0 more, 2 less"],
  ];
  it.each(rows)("of %i replicas with %j are %s", (replicas, rolling, want) => {
    const { surge, unavailable } = tolerances(rollout(replicas, rolling, { old: [] }).deployment);
    expect(`${surge} more, ${unavailable} less`).toBe(want);
  });
});

describe("a step of a rolling update", () => {
  const steps: readonly (readonly [name: string, rollout: Rollout, sizes: string])[] = [
    [
      "starts the new set within the surge",
      rollout(4, quarter, { old: [{ replicas: 4 }], now: { replicas: 0 } }),
      "new 1",
    ],
    [
      "shrinks the old set as far as pods may lack, though no new one is available",
      rollout(4, quarter, { old: [{ replicas: 4 }], now: { replicas: 1, available: 0 } }),
      "old-0 3",
    ],
    [
      "goes on when new pods are available",
      rollout(4, quarter, { old: [{ replicas: 3 }], now: { replicas: 2, available: 2 } }),
      "old-0 1",
    ],
    [
      "stands still while the new pods are not available",
      rollout(4, quarter, { old: [{ replicas: 3 }], now: { replicas: 2, available: 0 } }),
      "",
    ],
    [
      "stands still without any tolerance left, though its old pods serve nobody",
      rollout(
        2,
        { maxSurge: 1, maxUnavailable: 0 },
        {
          old: [{ replicas: 2, available: 0 }, { replicas: 0 }],
          now: { replicas: 1, available: 0 },
        },
      ),
      "",
    ],
    [
      "removes broken old pods though no new one is available",
      rollout(
        2,
        { maxSurge: 2, maxUnavailable: 1 },
        { old: [{ replicas: 2, available: 0 }], now: { replicas: 2, available: 0 } },
      ),
      "old-0 1",
    ],
    ["shrinks a new set that is too large", rollout(1, quarter, { old: [], now: { replicas: 3 } }), "new 1"],
    ["has nothing to do at the end", rollout(2, quarter, { old: [{ replicas: 0 }], now: { replicas: 2 } }), ""],
  ];
  it.each(steps)("%s", (_name, given, want) => {
    expect(sizes(rollForward(given))).toBe(want);
  });
});

describe("a change of the size", () => {
  const changes: readonly (readonly [name: string, rollout: Rollout, sizes: string])[] = [
    ["goes to the only active set", rollout(5, quarter, { old: [{ replicas: 0 }], now: { replicas: 2 } }), "new 5"],
    ["goes to an old set when it is the only one", rollout(5, quarter, { old: [{ replicas: 2 }] }), "old-0 5"],
    [
      "ends old sets when the new one is complete",
      rollout(2, quarter, { old: [{ replicas: 1 }], now: { replicas: 2, available: 2 } }),
      "old-0 0",
    ],
    [
      "is shared by the sizes in the middle of an update",
      rollout(
        20,
        { maxSurge: 0, maxUnavailable: 1 },
        {
          old: [{ replicas: 8, maximum: 10 }],
          now: { replicas: 2, available: 0, maximum: 10 },
        },
      ),
      "old-0 16, new 4",
    ],
    [
      "takes from all when it gets smaller",
      rollout(
        5,
        { maxSurge: 0, maxUnavailable: 1 },
        {
          old: [{ replicas: 8, maximum: 10 }],
          now: { replicas: 2, available: 0, maximum: 10 },
        },
      ),
      "old-0 4, new 1",
    ],
    [
      "to nothing takes all",
      rollout(0, quarter, { old: [{ replicas: 3, maximum: 5 }], now: { replicas: 2, available: 0, maximum: 5 } }),
      "old-0 0, new 0",
    ],
  ];
  it.each(changes)("%s", (_name, given, want) => {
    expect(sizes(scaleToSize(given))).toBe(want);
  });
});
