import type { UnstructuredObject } from "@landscaper/api";
import { inBrackets } from "./conditions.ts";
import { fieldAt, isJsonObject, numberAt, type JsonObject } from "../json-value.ts";

/** Why a pod will not become ready by waiting. */
export interface PodTrouble {
  /** Without the pod's name and without any text that a container wrote. */
  readonly message: string;
  /** The container whose log tells more; undefined when none has run. */
  readonly log?: { readonly container: string; readonly previous: boolean } | undefined;
}

/**
 * States that the kubelet keeps trying but that need somebody to change something. First failures (`ErrImagePull`, a single
 * crash) are left out: the back-off says that trying again has not helped (deployers.md §4 item 20).
 */
const imageTrouble: ReadonlySet<string> = new Set(["ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName"]);
const crashTrouble = "CrashLoopBackOff";

/** What is wrong with a pod for good: a container is stuck, or the pod has failed. */
export function findPodTrouble(pod: UnstructuredObject): PodTrouble | undefined {
  const stuck = findStuckContainer(pod);
  if (stuck !== undefined) return stuck;
  return fieldAt(pod, "status", "phase") === "Failed" ? describeFailure(pod) : undefined;
}

/** A container that cannot start. Crashes are left out where they are counted by somebody else (`ignoreCrashes`: a Job). */
export function findStuckContainer(
  pod: UnstructuredObject,
  { ignoreCrashes = false }: { readonly ignoreCrashes?: boolean } = {},
): PodTrouble | undefined {
  for (const container of containerStatuses(pod)) {
    const waiting = textAt(container, "state", "waiting", "reason");
    const isStuck = imageTrouble.has(waiting) || (waiting === crashTrouble && !ignoreCrashes);
    if (!isStuck) continue;
    const { name, exit } = describeExit(container, "lastState");
    const log = exit === "" ? undefined : { container: name, previous: true };
    return { message: `container ${name}: ${waiting}${exit === "" ? "" : `, ${exit}`}`, log };
  }
  return undefined;
}

export function describeFailure(pod: UnstructuredObject): PodTrouble {
  const reason = inBrackets(textAt(pod, "status", "reason"));
  const broken = containerStatuses(pod).find(
    (container) => numberAt(container, ["state", "terminated", "exitCode"], 0) !== 0,
  );
  if (broken === undefined) return { message: `has failed${reason}` };
  const { name, exit } = describeExit(broken, "state");
  return { message: `has failed${reason}, container ${name} ${exit}`, log: { container: name, previous: false } };
}

/** "exited with 1 (Error)"; "" when the container has not run. */
export function describeExit(container: JsonObject, state: "state" | "lastState"): { name: string; exit: string } {
  const name = textAt(container, "name");
  const code = fieldAt(container, state, "terminated", "exitCode");
  if (typeof code !== "number") return { name, exit: "" };
  return { name, exit: `exited with ${code}${inBrackets(textAt(container, state, "terminated", "reason"))}` };
}

export function containerStatuses(pod: UnstructuredObject): JsonObject[] {
  return ["initContainerStatuses", "containerStatuses"].flatMap((field) => {
    const statuses = fieldAt(pod, "status", field);
    return Array.isArray(statuses) ? statuses.filter(isJsonObject) : [];
  });
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = fieldAt(value, ...path);
  return typeof found === "string" ? found : "";
}
