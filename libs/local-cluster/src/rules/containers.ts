import { listAt, recordAt } from "../objects/json.ts";
import type { Owner } from "./field-rules.ts";

export interface PlacedContainer {
  readonly container: Owner;
  /** Path of the container, as errors name it. */
  readonly at: string;
}

/** Returns the containers of a pod, then its init containers. `at` is the path of the pod's spec. */
export function containersOf(spec: unknown, at: string): readonly PlacedContainer[] {
  return ["containers", "initContainers"].flatMap((list) =>
    listAt(spec, list).map((container, i) => ({ container: recordAt(container), at: `${at}.${list}[${i}]` })),
  );
}
