import type { UnstructuredObject } from "@landscaper/api";
import { inBrackets } from "./conditions.ts";
import type { LogSource } from "./read-log-tail.ts";
import { remedies } from "./remedies.ts";
import { fieldAt, isJsonObject, numberAt, type JsonObject } from "../json-value.ts";

/** What is wrong with an object that is waited for. */
export interface Trouble {
  /** Of names, reasons and numbers alone. */
  readonly text: string;
  /** What the manifest, the scheduler, the kubelet or the API server says of it. It may quote values of the manifest, and has to be masked. */
  readonly said?: string | undefined;
  /** What users can do. */
  readonly remedy: string;
  /** The container whose log tells more. Undefined: none has run. */
  readonly log?: LogSource | undefined;
}

/**
 * States that the kubelet keeps trying but that need somebody to change something. First failures (`ErrImagePull`, a single
 * crash) are left out: the back-off says that trying again has not helped (deployers.md §4 item 20).
 */
const imageTrouble: ReadonlySet<string> = new Set(["ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName"]);
const crashTrouble = "CrashLoopBackOff";

/** What is wrong with a pod for good: a container is stuck, or the pod has failed. */
export function findPodTrouble(pod: UnstructuredObject): Trouble | undefined {
  const stuck = findStuckContainer(pod);
  if (stuck !== undefined) return stuck;
  return fieldAt(pod, "status", "phase") === "Failed" ? describeFailure(pod) : undefined;
}

/** A container that cannot start. Crashes are left out where they are counted by somebody else (`ignoreCrashes`: a Job). */
export function findStuckContainer(
  pod: UnstructuredObject,
  { ignoreCrashes = false }: { readonly ignoreCrashes?: boolean } = {},
): Trouble | undefined {
  for (const container of containerStatuses(pod)) {
    const waiting = textAt(container, "state", "waiting", "reason");
    const isStuck = imageTrouble.has(waiting) || (waiting === crashTrouble && !ignoreCrashes);
    if (!isStuck) continue;
    const { name, exit } = describeExit(container, "lastState");
    // The log of the former run may exist even if the status has no last state.
    const hasRun = exit !== "" || numberAt(container, ["restartCount"], 0) > 0;
    const log = hasRun ? { container: name, previous: true } : undefined;
    const text = `container ${name}: ${waiting}${exit === "" ? "" : `, ${exit}`}`;
    if (waiting === crashTrouble) return { text, log, remedy: remedyOf(container, "lastState") };
    return { text, ...imageOf(pod, name), remedy: remedies.image };
  }
  return undefined;
}

export function isInCrashLoop(pod: UnstructuredObject): boolean {
  return containerStatuses(pod).some((container) => textAt(container, "state", "waiting", "reason") === crashTrouble);
}

export function describeFailure(pod: UnstructuredObject): Trouble {
  const reason = inBrackets(textAt(pod, "status", "reason"));
  const broken = containerStatuses(pod).find(
    (container) => numberAt(container, ["state", "terminated", "exitCode"], 0) !== 0,
  );
  if (broken === undefined) return { text: `has failed${reason}`, remedy: remedies.failed };
  const { name, exit } = describeExit(broken, "state");
  const text = `has failed${reason}, container ${name} ${exit}`;
  return { text, log: { container: name, previous: false }, remedy: remedyOf(broken, "state") };
}

/** "exited with 1 (Error)"; "" when the container has not run. */
export function describeExit(container: JsonObject, state: "state" | "lastState"): { name: string; exit: string } {
  const name = textAt(container, "name");
  const code = fieldAt(container, state, "terminated", "exitCode");
  if (typeof code !== "number") return { name, exit: "" };
  return { name, exit: `exited with ${code}${inBrackets(textAt(container, state, "terminated", "reason"))}` };
}

/** Returns what to do about a container that has ended. */
export function remedyOf(container: JsonObject, state: "state" | "lastState"): string {
  if (textAt(container, state, "terminated", "reason") === "OOMKilled") return remedies.memory;
  return fieldAt(container, state, "terminated", "exitCode") === 0 ? remedies.ended : remedies.crash;
}

/** Returns the image of a container as the manifest has it, which the status of the Pod may lack. */
export function imageOf(pod: UnstructuredObject, container: string): Pick<Trouble, "said"> {
  const image = ["initContainers", "containers"]
    .flatMap((field) => {
      const specs = fieldAt(pod, "spec", field);
      return Array.isArray(specs) ? specs.filter((spec) => textAt(spec, "name") === container) : [];
    })
    .map((spec) => textAt(spec, "image"))
    .find((text) => text !== "");
  return image === undefined ? {} : { said: `image ${image}` };
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
