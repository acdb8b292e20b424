import { parseGoDuration } from "../../schema/values/parse-go-duration.ts";
import { simulationPrefix } from "../simulation-options.ts";
import { findUnknownAnnotations } from "./unknown-annotations.ts";

/** What one container does, as its annotations script it. */
export interface ContainerScript {
  /** Message of the registry when the image cannot be pulled; undefined when it can. */
  readonly pullFailure: string | undefined;
  /** How long the container runs; undefined: until it is stopped, or one step where a run is to end. */
  readonly runMs: number | undefined;
  /** Exit code of scripted runs; undefined: no run fails. */
  readonly exitCode: number | undefined;
  /** How many runs of the workload end with `exitCode`; undefined: all. */
  readonly exitTimes: number | undefined;
  /** What the container leaves as its termination message. */
  readonly exitMessage: string | undefined;
  readonly log: string;
  /** Why the annotations cannot be followed; the container does not start then. */
  readonly problem: string | undefined;
}

/** What a pod does. */
export interface PodScript {
  /** Why no node takes the pod; undefined when one does. */
  readonly unschedulable: string | undefined;
  readonly startDelayMs: number | undefined;
  readonly readyDelayMs: number | undefined;
  readonly neverReady: boolean;
  /** How long the containers take to stop. */
  readonly stopDelayMs: number | undefined;
  readonly container: (name: string) => ContainerScript;
}

type Annotations = Readonly<Record<string, string>>;

/**
 * Reads the annotations of a pod, its own before those of its owners. An annotation with ".CONTAINER" at its end is for one container.
 * `containers` has the names of the pod's containers. Without it, the names of containers are not checked.
 */
export function parsePodScript(annotations: Annotations, containers?: readonly string[]): PodScript {
  const problems = findUnknownAnnotations(annotations, containers);
  const read = createReader(annotations, problems);
  const unschedulable = read.text("unschedulable");
  return {
    unschedulable: unschedulable === "false" ? undefined : unschedulable,
    startDelayMs: read.duration("start-delay"),
    readyDelayMs: read.duration("ready-delay"),
    neverReady: read.flag("never-ready"),
    stopDelayMs: read.duration("stop-delay"),
    container: (name) => parseContainerScript(annotations, name, problems),
  };
}

function parseContainerScript(
  annotations: Annotations,
  container: string,
  podProblems: readonly string[],
): ContainerScript {
  const problems = [...podProblems];
  const read = createReader(annotations, problems, container);
  const pullFailure = read.text("image-pull-failure");
  const script = {
    pullFailure: pullFailure === "false" ? undefined : pullFailure,
    runMs: read.duration("run-duration"),
    exitCode: read.count("exit-code", 255),
    exitTimes: read.count("exit-times", Number.MAX_SAFE_INTEGER),
    exitMessage: read.text("exit-message"),
    log: read.text("log") ?? "",
  };
  return { ...script, problem: problems[0] };
}

interface Reader {
  flag(name: string): boolean;
  text(name: string): string | undefined;
  duration(name: string): number | undefined;
  count(name: string, max: number): number | undefined;
}

function createReader(annotations: Annotations, problems: string[], container?: string): Reader {
  const find = (name: string): readonly [key: string, text: string] | undefined => {
    const keys = [...(container === undefined ? [] : [`${name}.${container}`]), name];
    const key = keys.map((short) => `${simulationPrefix}${short}`).find((full) => annotations[full] !== undefined);
    return key === undefined ? undefined : [key, annotations[key] ?? ""];
  };
  const parse = <T>(name: string, expected: string, parseText: (text: string) => T | undefined): T | undefined => {
    const found = find(name);
    if (found === undefined) return undefined;
    const [key, text] = found;
    const value = parseText(text);
    if (value === undefined) problems.push(`annotation ${key}: expected ${expected}, found "${text}"`);
    return value;
  };
  return {
    flag: (name) =>
      parse(name, '"true" or "false"', (text) => (["true", "false"].includes(text) ? text === "true" : undefined)) ??
      false,
    text: (name) => find(name)?.[1],
    duration: (name) => parse(name, 'a duration such as "500ms"', parseDurationMs),
    count: (name, max) =>
      parse(name, `a whole number${max === Number.MAX_SAFE_INTEGER ? "" : ` from 0 to ${max}`}`, (text) => {
        const value = Number(text);
        return /^\d+$/.test(text) && value <= max ? value : undefined;
      }),
  };
}

function parseDurationMs(text: string): number | undefined {
  const nanoseconds = /^[\d.nuµmsh]+$/.test(text) ? parseGoDuration(text) : undefined;
  return nanoseconds === undefined || nanoseconds < 0n ? undefined : Number(nanoseconds) / 1e6;
}
