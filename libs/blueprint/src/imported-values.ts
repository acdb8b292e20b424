import type { Target } from "@landscaper/api";

/** The value of one import or export parameter, with the objects that carry it. */
export type ParameterValue =
  | { readonly type: "data"; readonly value: unknown }
  | { readonly type: "target"; readonly target: Target }
  | { readonly type: "targetList"; readonly targets: readonly Target[] }
  | { readonly type: "targetMap"; readonly targets: Readonly<Record<string, Target>> };

/** Values by import name. Data and target imports share one name space (core.md §3.6). */
export type ImportedValues = Readonly<Record<string, ParameterValue>>;

/** What the imports of an Installation came to: see resolveImports. */
export interface ResolvedImports {
  /**
   * The declared imports that have a value: after mappings, defaults and import executions. These are the values to
   * copy into the Installation's own scope (core.md §4.15, §4.16). Undeclared imports are absent.
   */
  readonly values: ImportedValues;
  /** The template binding "imports": plain values and whole Target objects, with what import executions added. */
  readonly bindings: Readonly<Record<string, unknown>>;
  /** Conditional import definitions that do not apply, with all below them: subinstallation imports of them are pruned. */
  readonly unsatisfied: ReadonlySet<string>;
}
