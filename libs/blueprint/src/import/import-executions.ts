import { capMessage, redacted } from "@landscaper/api";
import { foldKeys } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import { describeType, isRecord } from "../parameter/describe-value.ts";
import { withFrankMessage } from "../provenance/frank-message.ts";
import { standardBindings, type RenderContext } from "../render-context.ts";
import { runExecution } from "../template/run-execution.ts";

/**
 * Runs the import executions in order (seed-000 "Import Values"): each sees what the ones before it added; the first
 * that reports errors ends all. Returns the binding `imports`.
 */
export function runImportExecutions(
  context: RenderContext,
  imports: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let current = imports;
  for (const [index, executor] of (context.source.definition.importExecutions ?? []).entries()) {
    const bindings = standardBindings(context, current);
    const result = runExecution({ kind: "import execution", executor, index, context, bindings, states: undefined });
    const output = foldKeys(result.output, ["bindings", "errors"]);
    if (!isRecord(output)) continue;
    checkErrors(output["errors"], result.where);
    current = { ...current, ...readBindings(output["bindings"], result.where) };
  }
  return current;
}

function checkErrors(errors: unknown, where: string): void {
  if (errors === undefined || errors === null) return;
  if (!Array.isArray(errors)) {
    throw blueprintError("RenderImportExecutions", `${where}: errors: expected a list, found ${describeType(errors)}`);
  }
  const texts = errors.filter((error: unknown) => error !== null && error !== "").map(String);
  if (texts.length === 0) return;
  // The blueprint's author chose these words to be read, but they may hold values of imports, as those of `fail`.
  const error = blueprintError("RenderImportExecutions", `${where}: ${texts.map(() => redacted).join(", ")}`);
  throw withFrankMessage(error, capMessage(`${where}: ${texts.join(", ")}`));
}

function readBindings(bindings: unknown, where: string): Readonly<Record<string, unknown>> {
  if (bindings === undefined || bindings === null) return {};
  if (isRecord(bindings)) return bindings;
  throw blueprintError("RenderImportExecutions", `${where}: bindings: expected a map, found ${describeType(bindings)}`);
}
