// DeployItems in any state, for table tests.
import { annotations, apiVersion, labels, type DeployItem, type DeployItemTemplate } from "@landscaper/api";

export interface ItemState {
  readonly name: string;
  readonly dependsOn?: readonly string[];
  readonly jobID?: string;
  readonly jobIDFinished?: string;
  readonly phase?: string;
  readonly isDeleting?: boolean;
  readonly message?: string;
  readonly finishedTime?: string;
  /** Further ones. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

export function deployItem(state: ItemState): DeployItem {
  const { name, dependsOn = [], jobID, jobIDFinished, phase, isDeleting, message, finishedTime, finalizers } = state;
  const time = "2026-01-01T00:00:00Z";
  const lastError = { operation: "Test", reason: "Test", lastTransitionTime: time, lastUpdateTime: time };
  return {
    apiVersion,
    kind: "DeployItem",
    metadata: {
      name: `root-${name}-abcdefgh`,
      namespace: "ns",
      uid: name,
      labels: { [labels.managedName]: name },
      annotations: {
        ...(dependsOn.length === 0 ? {} : { [annotations.dependsOn]: dependsOn.join(",") }),
        ...state.annotations,
      },
      ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
      ...(isDeleting === true ? { deletionTimestamp: time } : {}),
    },
    spec: { type: "test" },
    status: {
      ...(jobID === undefined ? {} : { jobID }),
      ...(jobIDFinished === undefined ? {} : { jobIDFinished }),
      ...(phase === undefined ? {} : { phase }),
      ...(message === undefined ? {} : { lastError: { ...lastError, message } }),
      ...(finishedTime === undefined ? {} : { transitionTimes: { finishedTime } }),
    },
  };
}

export function itemTemplate(name: string, ...dependsOn: readonly string[]): DeployItemTemplate {
  return { name, type: "test", config: { apiVersion: "v1", kind: "Test" }, dependsOn: [...dependsOn] };
}
