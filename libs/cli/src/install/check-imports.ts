import { LandscaperError, type ImportDefinition } from "@landscaper/api";
import { parameterType, resolveImports, type ImportedValues, type RenderContext } from "@landscaper/blueprint";
import { UsageError } from "../usage-error.ts";
import { wordOf } from "./import-values.ts";

/** Longer schemas are cut in messages. */
const maxSchemaLength = 600;

/**
 * Compares what a command line gives with what the blueprint imports. Throws UsageError with all that is missing or does not fit, each with its
 * schema; SuppliesLacking for schemas of components that are to be fetched; and LandscaperError for a mistake of the blueprint.
 */
export function checkGivenImports(
  context: RenderContext,
  { values, problems }: { readonly values: ImportedValues; readonly problems: readonly string[] },
): void {
  const all = [...problems];
  const mentioned = (name: string): boolean => problems.some((problem) => problem.startsWith(`imports.${name}:`));
  const check = (definition: ImportDefinition, isActive: boolean): void => {
    const { name } = definition;
    const isGiven = Object.hasOwn(values, name);
    if (isGiven && !isActive) all.push(`imports.${name}: it applies only together with the import above it`);
    else if (isGiven) all.push(...misfit(context, definition, values));
    else if (isActive && definition.required !== false && !mentioned(name)) all.push(missing(definition));
    // A default stands for a value: imports below apply.
    const hasDefault = definition.required === false && definition.default !== undefined;
    for (const nested of definition.imports ?? []) check(nested, isActive && (isGiven || hasDefault));
  };
  for (const definition of context.source.definition.imports ?? []) check(definition, true);
  if (all.length > 0) throw new UsageError(`what is given does not fit the blueprint:\n${all.join("\n")}`);
  // Import executions of the blueprint may refuse what the schemas let pass.
  resolveImports({ context, given: values });
}

function missing(definition: ImportDefinition): string {
  const { name } = definition;
  const type = parameterType(definition, `imports.${name}`);
  const flags = {
    data: `--import ${name}=VALUE`,
    target: `--target ${name}=KUBECONFIG`,
    targetList: `--target ${name}=KUBECONFIG, for each of the list`,
    targetMap: `--target ${name}.KEY=KUBECONFIG, for each of the map`,
  };
  return `imports.${name}: the blueprint requires this ${wordOf(type)} import: ${flags[type]}${schemaText(definition)}`;
}

/** Reasons of errors about one value. */
const misfits: ReadonlySet<string> = new Set(["SchemaValidationFailed", "ImportTypeMismatch", "ImportNotSatisfied"]);

/** What is wrong with one value by its own. */
function misfit(context: RenderContext, definition: ImportDefinition, values: ImportedValues): readonly string[] {
  const { name } = definition;
  const value = values[name];
  const { imports: _, ...alone } = definition;
  const only = { ...context.source.definition, imports: [alone], importExecutions: [] };
  try {
    const source = { ...context.source, definition: only };
    resolveImports({ context: { ...context, source }, given: value === undefined ? {} : { [name]: value } });
    return [];
  } catch (error) {
    const isMisfit = error instanceof LandscaperError && misfits.has(error.reason);
    if (!isMisfit) throw error;
    return [`${error.message}${schemaText(definition)}`];
  }
}

function schemaText({ schema }: ImportDefinition): string {
  if (schema === undefined) return "";
  const text = JSON.stringify(schema);
  return `\n  schema: ${text.length > maxSchemaLength ? `${text.slice(0, maxSchemaLength)}...` : text}`;
}
