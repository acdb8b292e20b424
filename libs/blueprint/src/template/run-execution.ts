import { capMessage, LandscaperError, type TemplateExecutor } from "@landscaper/api";
import { fromYaml, toYaml, YamlError } from "@landscaper/goyaml";
import { toFloat64, toFloat64Object, type Float64Object, type Float64Value } from "@landscaper/json";
import { blueprintError } from "../blueprint-error.ts";
import { missingFile } from "../missing-file.ts";
import { describeType, isRecord } from "../parameter/describe-value.ts";
import { withFrankMessage } from "../provenance/frank-message.ts";
import type { RenderContext, TemplateStates } from "../render-context.ts";
import { executeGoTemplate } from "./execute-go-template.ts";
import { executeSpiff } from "./execute-spiff.ts";
import { checkNoValue } from "./no-value.ts";
import { sourceSnippet, type SnippetPlace } from "./source-snippet.ts";
import type { TemplateText } from "./template-failure.ts";
import { warnOfFurtherDocument } from "./warn-of-output.ts";

/** What kind of execution it is, as messages name it. */
export type ExecutionKind = "import execution" | "deploy execution" | "subinstallation execution" | "export execution";

export interface ExecutionRun {
  readonly kind: ExecutionKind;
  readonly executor: TemplateExecutor;
  /** Where the execution stands among those of its kind, from 0. */
  readonly index: number;
  readonly context: RenderContext;
  readonly bindings: Readonly<Record<string, unknown>>;
  /** Stored states; undefined for executions that keep none (import executions). */
  readonly states: TemplateStates | undefined;
}

export interface ExecutionResult {
  /** Top-level nodes of the rendered document. */
  readonly output: Readonly<Record<string, unknown>>;
  /** The state to store; undefined for none. */
  readonly state: unknown;
  /** Names the execution in messages about its output. */
  readonly where: string;
}

export interface ExecutionRuns extends Pick<ExecutionRun, "context" | "kind"> {
  readonly executors: readonly TemplateExecutor[];
  /** Made anew for each execution. */
  readonly bindings: () => Readonly<Record<string, unknown>>;
  /** States that earlier jobs have stored, by execution name. */
  readonly states: TemplateStates;
  readonly take: (result: ExecutionResult) => void;
}

/**
 * Runs executions that keep a state, in order, and returns the new states; executions without one are absent. Those of one name
 * share their state: each sees what the one before it has left, as in the original. Throws LandscaperError.
 */
export function runExecutions({ kind, executors, context, bindings, states, take }: ExecutionRuns): TemplateStates {
  const fresh: Record<string, unknown> = {};
  for (const [index, executor] of executors.entries()) {
    const known = { ...states, ...fresh };
    const result = runExecution({ kind, executor, index, context, bindings: bindings(), states: known });
    if (result.state !== undefined) fresh[executor.name] = result.state;
    take(result);
  }
  return fresh;
}

/** Runs one template execution and reads its YAML (core.md §3.7). Throws LandscaperError with the place in the source. */
export function runExecution(run: ExecutionRun): ExecutionResult {
  const { executor, context } = run;
  const where = nameExecution(run);
  context.onStep?.(where);
  const state = run.states === undefined ? undefined : ownValue(run.states, executor.name);
  const input: TemplateInput = { where, bindings: toFloat64Object(run.bindings), state: toFloat64(state) };
  if (executor.type === "Spiff") return runSpiff(run, input);
  const template = templateText(executor, context, where);
  const bindings = run.states === undefined ? input.bindings : { ...input.bindings, state: input.state ?? {} };
  const rendered = executeGoTemplate({ where, template, bindings, context });
  if (run.kind !== "import execution") checkNoValue(rendered, { where, kind: run.kind }, bindings);
  const output = parseOutput(rendered, { where, kind: run.kind });
  warnOfFurtherDocument(context, { where, rendered });
  return { output, state: run.states === undefined ? undefined : toFloat64(output["state"]), where };
}

/** Names an execution in messages: `deploy template execution "NAME"` (docs/reference/template-failures.md), or its position if it has no name. */
function nameExecution({ kind, executor: { name }, index }: ExecutionRun): string {
  return `${kind.replace(/execution$/, "template execution")} ${name === "" ? `[${index}]` : `"${name}"`}`;
}

/** What a template is rendered with. */
interface TemplateInput {
  readonly where: string;
  readonly bindings: Float64Object;
  readonly state: Float64Value | undefined;
}

function ownValue(values: TemplateStates, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function templateText({ file, name, template }: TemplateExecutor, context: RenderContext, where: string): TemplateText {
  if (file !== undefined) return { name: file.replace(/^\/+/, ""), text: readFile(file, context, where) };
  return { name, text: typeof template === "string" ? template : toYaml(template) };
}

function readFile(file: string, context: RenderContext, where: string): string {
  if (context.source.files.has(file)) return context.source.files.readText(file);
  throw missingFile(context.source.files, file, { where: `${where}: file`, reason: "TemplatingFailed" });
}

function runSpiff(
  { kind, executor, context, states }: ExecutionRun,
  { where, bindings, state }: TemplateInput,
): ExecutionResult {
  const template = templateText(executor, context, where);
  const shownBindings = state === undefined ? bindings : { ...bindings, state };
  const execution = { state };
  const result = executeSpiff({ where, template, document: "template", bindings, shownBindings, context, execution });
  const output = asMap(result.output, { where, kind });
  return { output, state: states === undefined ? undefined : result.state, where };
}

/** An execution in messages. `where` is its kind and name, as `nameExecution` returns them. */
export interface NamedExecution {
  readonly where: string;
  readonly kind: ExecutionKind;
}

function parseOutput(rendered: string, execution: NamedExecution): Readonly<Record<string, unknown>> {
  const { where } = execution;
  let output: unknown;
  try {
    output = fromYaml(rendered, { integers: "exact" });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line, column = 1, problem } = error;
    const message = `${where}: the rendered text is not YAML${error.place}: ${problem}`;
    const failure = blueprintError("TemplatingFailed", message);
    throw line === undefined ? failure : withOutput(failure, rendered, { line, column: column - 1 });
  }
  try {
    return asMap(output, execution);
  } catch (error) {
    throw error instanceof LandscaperError ? withOutput(error, rendered, { line: 1 }) : error;
  }
}

/** The rendered text has values of imports: it is shown only as far as a second rendering proves that they are not secret. */
function withOutput(error: LandscaperError, rendered: string, place: SnippetPlace): LandscaperError {
  return withFrankMessage(error, capMessage(`${error.message}\ntemplated output:\n${sourceSnippet(rendered, place)}`));
}

/** How to write the result of an execution. */
const resultHints: Readonly<Record<ExecutionKind, string>> = {
  "import execution": 'write the values that are computed under the key "bindings"',
  "deploy execution":
    'write a list of deploy items under the key "deployItems"; manifests belong to the config of a deploy item',
  "subinstallation execution": 'write a list of installation templates under the key "subinstallations"',
  "export execution": 'write the values of the exports under the key "exports"',
};

function asMap(output: unknown, { where, kind }: NamedExecution): Readonly<Record<string, unknown>> {
  if (output === null || output === undefined) return {};
  if (isRecord(output)) return output;
  throw blueprintError(
    "TemplatingFailed",
    `${where}: expected the result to be a YAML map, found ${describeType(output)}`,
    { hint: resultHints[kind] },
  );
}
