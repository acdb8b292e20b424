// Runs of programs, as `decideRun` sees them.
import type { ContainerState, Pod } from "@landscaper/api";
import { podFinalizer, recordedGate } from "../src/contract/labels.ts";
import { observePod, type ObservedPod } from "../src/deployer/pod/pod-state.ts";
import { findStartTrouble } from "../src/deployer/pod/start-trouble.ts";
import { decideRun, type ObservedRun, type RunRecord } from "../src/deployer/run/decide-run.ts";

interface PodOptions {
  readonly name?: string;
  readonly uid?: string;
  readonly gated?: boolean;
  readonly node?: string;
  readonly deleting?: boolean;
  readonly kept?: boolean;
  readonly phase?: string;
  readonly reason?: string;
  readonly disruption?: string;
  readonly main?: ContainerState;
  readonly init?: ContainerState;
  readonly wait?: ContainerState;
  /** State before the kubelet restarted wait. */
  readonly lastWait?: ContainerState;
  /** State of an init container that another client has added. */
  readonly mesh?: ContainerState;
  /** State of a container that another client has added. */
  readonly proxy?: ContainerState;
  /** The kubelet has reported no container. */
  readonly bare?: boolean;
}

export function podOf(options: PodOptions = {}): ObservedPod {
  const { name = "p0", uid = "u", gated = false, node = "n", deleting = false, kept = false } = options;
  const {
    phase = "Running",
    reason,
    disruption,
    main = {},
    init = {},
    wait,
    lastWait,
    mesh,
    proxy,
    bare = false,
  } = options;
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      uid,
      finalizers: kept ? [] : [podFinalizer],
      ...(deleting ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: {
      ...(gated ? { schedulingGates: [{ name: recordedGate }] } : {}),
      ...(node === "" ? {} : { nodeName: node }),
      initContainers: [
        { name: "init", image: "i" },
        { name: "wait", image: "w" },
      ],
      containers: [{ name: "main", image: "m" }],
    },
    status: {
      phase,
      ...(reason === undefined ? {} : { reason }),
      ...(disruption === undefined
        ? {}
        : { conditions: [{ type: "DisruptionTarget", status: "True", reason: disruption, message: "so it is" }] }),
      ...(bare
        ? {}
        : {
            initContainerStatuses: [
              ...(mesh === undefined ? [] : [{ name: "mesh-init", state: mesh }]),
              { name: "init", state: init },
              ...(wait === undefined
                ? []
                : [{ name: "wait", state: wait, ...(lastWait === undefined ? {} : { lastState: lastWait }) }]),
            ],
            containerStatuses: [
              { name: "main", state: main },
              ...(proxy === undefined ? [] : [{ name: "proxy", state: proxy }]),
            ],
          }),
    },
  };
  return observePod(pod);
}

export const wanted = { runID: "j", operation: "RECONCILE" } as const;
/** Its Pod is `podOf()`. */
export const recorded: RunRecord = {
  ...wanted,
  attempt: 0,
  podUID: "u",
  result: undefined,
  error: undefined,
  givenUp: undefined,
};
export const givenUp = { reason: "ContainerImageFailed", message: "it does not start" };
export const retryPolicy = { onPodLoss: true, limit: 2 };

/** What is observed, and how long the first Pod has failed to start, if it does. */
export type Observed = Partial<ObservedRun> & { readonly failingMs?: number };

/** Returns the decision with names instead of Pods. */
export function decide({ failingMs = 0, ...observed }: Observed): unknown {
  const [first] = observed.pods ?? [];
  const trouble = first && findStartTrouble(first.pod);
  const decision = decideRun({
    wanted,
    record: undefined,
    podName: (attempt) => `p${attempt}`,
    pods: [],
    retryPolicy: undefined,
    keepsPods: false,
    startGraceMs: 120_000,
    failing: trouble && { trouble, failingMs },
    ...observed,
  });
  const short = plain(decision);
  const nameOf = (pod: unknown): unknown => (pod as { name?: unknown } | undefined)?.name;
  return {
    ...short,
    ...("pod" in short ? { pod: nameOf(short["pod"]) } : {}),
    ...("pods" in short ? { pods: (short["pods"] as unknown[]).map(nameOf) } : {}),
  };
}

export const exit = (exitCode: number, reason = "Error", second = 0): ContainerState => ({
  terminated: { exitCode, reason, finishedAt: `2026-01-01T00:00:0${second}Z` },
});
export const running: ContainerState = { running: {} };
/** State of a container that has run or that could not be started. */
export const crashing: ContainerState = { waiting: { reason: "CrashLoopBackOff" } };
export const pulling: ContainerState = { waiting: { reason: "ImagePullBackOff", message: "no" } };
export const pullTrouble = { container: "main", image: "m", reason: "ImagePullBackOff", message: "no", isFinal: false };

/** Removes undefined fields. */
export function plain(decision: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(decision)) as Record<string, unknown>;
}
