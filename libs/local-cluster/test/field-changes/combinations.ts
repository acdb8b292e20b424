import { policyCombinations } from "./policy-combinations.ts";
import { serviceCombinations } from "./service-combinations.ts";
import { workloadCombinations } from "./workload-combinations.ts";

/** Values by the path of their field, as `spec.ports[0].port`; null removes the field. */
export type Fields = Readonly<Record<string, unknown>>;

/** Several related fields of an object, changed together. */
export interface Combinations {
  /** Part of the titles; "" for the sample itself. */
  readonly base: string;
  /** What makes the base out of the sample. */
  readonly from?: Fields;
  /** Written to the status subresource of the base, for rules of updates that read it. */
  readonly status?: Readonly<Record<string, unknown>>;
  /** Sent without dry run, which skips some checks of the real server; each update gets a base of its own. */
  readonly isWritten?: boolean;
  /** By title. */
  readonly changes: Readonly<Record<string, Fields>>;
}

/** By kind. */
export const combinations: Readonly<Record<string, readonly Combinations[]>> = {
  ...policyCombinations,
  ...serviceCombinations,
  ...workloadCombinations,
};
