import { checkImports, type CheckedImports } from "./check-imports.ts";
import { runImportExecutions } from "./import-executions.ts";
import { mapData } from "../parameter/map-data.ts";
import { bindingOf, type ImportedValues, type ParameterValue } from "../parameter/parameter-value.ts";
import type { RenderContext } from "../render-context.ts";
import { componentSchemas } from "../schema/component-schemas.ts";

export interface ResolveImportsOptions {
  readonly context: RenderContext;
  /** What the Installation imports, by import name. */
  readonly given: ImportedValues;
  /** spec.importDataMappings of the Installation. */
  readonly mappings?: Readonly<Record<string, unknown>> | undefined;
}

/** What the imports of an Installation came to. */
export interface ResolvedImports extends CheckedImports {
  /**
   * The declared imports that have a value, after mappings, defaults and import executions: what is copied into the
   * Installation's own scope (core.md §4.15, §4.16).
   */
  readonly values: ImportedValues;
  /** The template binding `imports`: plain values and whole Target objects, with what import executions added. */
  readonly bindings: Readonly<Record<string, unknown>>;
}

/** Mappings, defaults, type and schema checks, then import executions. Throws LandscaperError. */
export function resolveImports({ context, given, mappings = {} }: ResolveImportsOptions): ResolvedImports {
  const { source, caches, onStep, budget } = context;
  const mapped = mapImports(given, mappings, context);
  const checked = checkImports({
    source,
    values: mapped,
    caches,
    onStep,
    budget: budget?.content,
    readComponentSchema: componentSchemas(context),
    isSkipped: context.isShadow,
  });
  const bindings = runImportExecutions(context, bindingsOf(checked.values));
  return { values: withOverrides(checked.values, bindings), bindings, unsatisfied: checked.unsatisfied };
}

/** Mapped values win over imports of the same name (core.md §4.23). */
function mapImports(
  given: ImportedValues,
  mappings: Readonly<Record<string, unknown>>,
  context: RenderContext,
): ImportedValues {
  const results = mapData({ mappings, direction: "imports", bindings: bindingsOf(given), context });
  const values: Record<string, ParameterValue> = { ...given };
  for (const [name, value] of Object.entries(results)) values[name] = { type: "data", value };
  return values;
}

function bindingsOf(values: ImportedValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bindingOf(value)]));
}

/** Data imports that import executions replaced; they are not checked again (core.md §4.16). */
function withOverrides(values: ImportedValues, bindings: Readonly<Record<string, unknown>>): ImportedValues {
  const entries = Object.entries(values).map(([name, value]): [string, ParameterValue] => {
    return [name, value.type === "data" ? { type: "data", value: bindings[name] } : value];
  });
  return Object.fromEntries(entries);
}
