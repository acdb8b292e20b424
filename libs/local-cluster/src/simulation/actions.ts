import type { UnstructuredObject } from "@landscaper/api";
import type { Fields } from "./conditions.ts";

/** One write of a controller. */
export type Action =
  | { readonly do: "create"; readonly object: UnstructuredObject }
  /** Metadata and spec of an object that is there. */
  | { readonly do: "update"; readonly object: UnstructuredObject }
  | { readonly do: "status"; readonly object: UnstructuredObject; readonly status: Fields }
  | {
      readonly do: "delete";
      readonly object: UnstructuredObject;
      readonly propagationPolicy?: "Background" | "Foreground";
    };

/** What a controller does about what it sees. */
export interface Decision {
  readonly actions: readonly Action[];
  /** When to look again though nothing has changed, in ms since the epoch. */
  readonly wakeAtMs?: number | undefined;
}

export const nothing: Decision = { actions: [] };

/** The earlier of two times. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const first = Math.min(...times.map((time) => time ?? Infinity));
  return first === Infinity ? undefined : first;
}
