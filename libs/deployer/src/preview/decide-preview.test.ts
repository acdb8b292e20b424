import { describe, expect, it } from "@jest/globals";
import type { DeployItem, DeployItemStatus } from "@landscaper/api";
import type { Claim } from "../sharing/decide-claim.ts";
import type { ObservedTarget } from "../target/target-observer.ts";
import { decidePreview, type PreviewDecision } from "./decide-preview.ts";

const type = "landscaper.gardener.cloud/test";
const ended: DeployItemStatus = { jobID: "1", jobIDFinished: "1", phase: "Succeeded", observedGeneration: 3 };
const operation = (value: string) => ({ annotations: { "landscaper.gardener.cloud/operation": value } });
const planned = (status: "True" | "False" | "Unknown"): NonNullable<DeployItemStatus["conditions"]> => [
  { type: "Planned", status, reason: "r", message: "m", lastTransitionTime: "t", lastUpdateTime: "t" },
];

interface Row {
  readonly status?: DeployItemStatus;
  readonly metadata?: Partial<DeployItem["metadata"]>;
  readonly itemType?: string;
  readonly target?: ObservedTarget;
  readonly claim?: Claim;
  readonly canPreview?: boolean;
  /** Selectors that accept no target. */
  readonly isElsewhere?: boolean;
}

function decide(row: Row): PreviewDecision {
  const { status, metadata = operation("plan"), itemType = type, claim = { type: "ours" }, canPreview = true } = row;
  const item: DeployItem = {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n", uid: "u", generation: 3, ...metadata },
    spec: { type: itemType },
    status: { ...ended, ...status },
  };
  const targetSelectors = row.isElsewhere === true ? [{ targets: [{ name: "other", namespace: "n" }] }] : [];
  const responsibility = { type, targetSelectors, claim, canPreview };
  return decidePreview({ item, target: row.target ?? { state: "none" } }, responsibility);
}

const found: ObservedTarget = {
  state: "found",
  target: {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Target",
    metadata: { name: "cluster", namespace: "n" },
    spec: { type: "landscaper.gardener.cloud/kubernetes-cluster" },
  },
};
const missing: ObservedTarget = { state: "missing", name: "cluster" };
const deleted = { deletionTimestamp: "2026-01-01T11:00:00Z" };

describe("operation plan", () => {
  it.each<readonly [string, Row, PreviewDecision["type"]]>([
    ["asked for", {}, "run"],
    ["with a target", { target: found }, "run"],
    ["without a job before", { status: { jobID: "", jobIDFinished: "", phase: "" } }, "run"],
    ["asked what another version of Helm renders", { metadata: operation("plan-other-helm") }, "run"],
    ["asked for something else", { metadata: operation("plan-nothing") }, "off"],
    ["the last job failed", { status: { phase: "Failed" } }, "run"],
    ["the spec has changed since the last job", { metadata: { ...operation("plan"), generation: 4 } }, "run"],
    ["asked for again", { status: { conditions: planned("True") } }, "run"],
    ["asked for again after a failure", { status: { conditions: planned("False") } }, "run"],
    ["a process has left one behind", { status: { conditions: planned("Unknown") } }, "run"],
    [
      "a replica that is gone has left one behind",
      { claim: { type: "orphaned", holder: "h" }, status: { conditions: planned("Unknown") } },
      "run",
    ],
    [
      "a deployer without Lease has one in work",
      { claim: { type: "wait", holder: "old", leftMs: 1 }, status: { conditions: planned("Unknown") } },
      "wait",
    ],
    ["another replica's", { claim: { type: "theirs" } }, "off"],
    ["another deployer's", { itemType: "landscaper.gardener.cloud/other" }, "off"],
    ["another instance's", { target: found, isElsewhere: true }, "off"],
    ["another instance's, whose target is missing", { target: missing, isElsewhere: true }, "off"],
    ["a job is open", { status: { jobID: "2" } }, "off"],
    ["a job is in work", { status: { jobID: "2", phase: "Progressing" } }, "off"],
    ["a job has come while one was in work", { status: { jobID: "2", conditions: planned("Unknown") } }, "off"],
    ["it is being deleted", { metadata: { ...operation("plan"), ...deleted } }, "off"],
    [
      "its deletion failed",
      { metadata: { ...operation("plan"), ...deleted }, status: { phase: "DeleteFailed" } },
      "off",
    ],
    ["the target is missing", { target: missing }, "targetMissing"],
    ["the deployer cannot", { canPreview: false }, "unsupported"],
    ["the deployer cannot, and a job is open", { canPreview: false, status: { jobID: "2" } }, "off"],
    ["the deployer cannot, of another replica", { canPreview: false, claim: { type: "theirs" } }, "off"],
  ])("%s", (_name, row, want) => {
    expect(decide(row).type).toBe(want);
  });

  it.each<readonly [string, Row, PreviewDecision["type"]]>([
    ["never asked for", {}, "off"],
    ["answered", { status: { conditions: planned("True") } }, "off"],
    ["answered with an error", { status: { conditions: planned("False") } }, "off"],
    ["taken back while in work", { status: { conditions: planned("Unknown") } }, "withdraw"],
    [
      "taken back, of another replica",
      { claim: { type: "theirs" }, status: { conditions: planned("Unknown") } },
      "off",
    ],
    [
      "taken back, of a replica that is gone",
      { claim: { type: "orphaned", holder: "h" }, status: { conditions: planned("Unknown") } },
      "withdraw",
    ],
    ["taken back, and a job is open", { status: { jobID: "2", conditions: planned("Unknown") } }, "off"],
    ["taken back, and being deleted", { metadata: deleted, status: { conditions: planned("Unknown") } }, "off"],
    [
      "replaced by another operation",
      { metadata: operation("interrupt"), status: { conditions: planned("Unknown") } },
      "withdraw",
    ],
  ])("no request: %s", (_name, row, want) => {
    expect(decide({ metadata: {}, ...row }).type).toBe(want);
  });

  it("names the target that is missing", () => {
    expect(decide({ target: missing })).toEqual({ type: "targetMissing", targetName: "cluster" });
  });
});
