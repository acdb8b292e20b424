import type { UnstructuredObject } from "@landscaper/api";

/** How far the object of a hook has come. */
export type HookState =
  | { readonly type: "running" }
  | { readonly type: "succeeded" }
  | { readonly type: "failed"; readonly message: string };

interface Condition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
}

/** Jobs and Pods have to end well; of other objects it is enough that they exist (Helm 3, hooks). */
export function hookState({ kind, apiVersion, status }: UnstructuredObject): HookState {
  const fields = (typeof status === "object" && status !== null ? status : {}) as Record<string, unknown>;
  if (kind === "Job" && apiVersion.startsWith("batch/")) return jobState(fields);
  if (kind === "Pod" && apiVersion === "v1") return podState(fields);
  return { type: "succeeded" };
}

function jobState({ conditions }: Record<string, unknown>): HookState {
  const list = (Array.isArray(conditions) ? conditions : []) as Condition[];
  const holds = (type: string): Condition | undefined =>
    list.find((each) => each.type === type && each.status === "True");
  if (holds("Complete") !== undefined) return { type: "succeeded" };
  const failed = holds("Failed");
  if (failed === undefined) return { type: "running" };
  const words = [failed.reason, failed.message].filter((word) => typeof word === "string" && word !== "");
  return { type: "failed", message: words.length === 0 ? "failed" : words.join(": ") };
}

function podState({ phase, message, reason }: Record<string, unknown>): HookState {
  if (phase === "Succeeded") return { type: "succeeded" };
  if (phase !== "Failed") return { type: "running" };
  const words = [reason, message].filter((word) => typeof word === "string" && word !== "");
  return { type: "failed", message: words.length === 0 ? "failed" : words.join(": ") };
}
