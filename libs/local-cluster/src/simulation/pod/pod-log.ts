import type { UnstructuredObject } from "@landscaper/api";
import { listAt, stringAt } from "../../objects/json.ts";
import { StatusError, badRequest } from "../../status/status-error.ts";
import type { ContainerRun, PodRun } from "./pod-run.ts";
import type { PodScript } from "./pod-script.ts";

/** PodLogOptions of a request. */
export interface LogOptions {
  /** "" when the pod has only one. */
  readonly container: string;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly follow: boolean;
  /** Lines before this time are left out; ms since the epoch. */
  readonly sinceMs: number;
}

/** Throws StatusError for values that the real server refuses, too. */
export function parseLogOptions(query: URLSearchParams, nowMs: number): LogOptions {
  const flag = (name: string): boolean => ["true", "1"].includes(query.get(name) ?? "");
  const sinceSeconds = count(query, "sinceSeconds", 1);
  const sinceTime = query.get("sinceTime");
  return {
    container: query.get("container") ?? "",
    previous: flag("previous"),
    timestamps: flag("timestamps"),
    follow: flag("follow"),
    tailLines: count(query, "tailLines", 0),
    limitBytes: count(query, "limitBytes", 1),
    sinceMs: sinceTime === null ? nowMs - (sinceSeconds ?? Infinity) * 1000 : Date.parse(sinceTime),
  };
}

function count(query: URLSearchParams, name: string, least: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  const rule = least === 0 ? "must be greater than or equal to 0" : "must be greater than 0";
  throw new StatusError({
    code: 422,
    reason: "Invalid",
    message: `PodLogOptions "" is invalid: ${name}: Invalid value: ${JSON.stringify(text)}: ${rule}`,
  });
}

/** The container that a log request means. Throws 400 as the API server does. */
export function chooseContainer(pod: UnstructuredObject, { container }: Pick<LogOptions, "container">): string {
  const named = (field: string): string[] => listAt(pod, "spec", field).map((entry) => stringAt(entry, "name"));
  const mains = named("containers");
  const inits = named("initContainers");
  const { name = "" } = pod.metadata;
  if (container === "") {
    const [only = ""] = mains;
    if (mains.length === 1) return only;
    const choice = inits.length === 0 ? "" : ` or one of the init containers: [${inits.join(" ")}]`;
    throw badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${mains.join(" ")}]${choice}`,
    );
  }
  if ([...mains, ...inits].includes(container)) return container;
  throw badRequest(`container ${container} is not valid for pod ${name}`);
}

/** The log of one run of a container. Throws 400 as a kubelet does when there is none. */
export function readLog(
  pod: UnstructuredObject,
  { run, script }: { readonly run: PodRun; readonly script: PodScript },
  options: LogOptions,
): string {
  const container = run.containers.find(({ name }) => name === options.container);
  if (container === undefined) return "";
  const startedMs = startOf(pod, container, options.previous);
  if (startedMs < options.sinceMs) return "";
  const lines = script.container(container.name).log.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const { tailLines, limitBytes, timestamps } = options;
  const tail = tailLines === undefined ? lines : lines.slice(Math.max(lines.length - tailLines, 0));
  const time = new Date(startedMs).toISOString().replace("Z", "000000Z");
  const text = tail.map((line) => `${timestamps ? `${time} ` : ""}${line}\n`).join("");
  return limitBytes === undefined ? text : Buffer.from(text).subarray(0, limitBytes).toString();
}

/** Whether more lines may come: the container runs or will run. */
export function isGoingOn({ containers, stopped }: PodRun, name: string): boolean {
  const container = containers.find((candidate) => candidate.name === name);
  return !stopped && container?.state.is === "running";
}

/** When the run began whose log is asked for. */
function startOf(pod: UnstructuredObject, { name, state, last }: ContainerRun, previous: boolean): number {
  const podName = pod.metadata.name ?? "";
  if (previous) {
    if (last !== undefined) return last.startedMs;
    throw badRequest(`previous terminated container "${name}" in pod "${podName}" not found`);
  }
  switch (state.is) {
    case "running":
      return state.sinceMs;
    case "terminated":
      return state.startedMs;
    case "waiting": {
      if (last !== undefined) return last.startedMs;
      const isPull = ["ErrImagePull", "ImagePullBackOff"].includes(state.reason);
      const why = isPull ? "trying and failing to pull image" : state.reason;
      throw badRequest(`container "${name}" in pod "${podName}" is waiting to start: ${why}`);
    }
  }
}
