import { BudgetError } from "@landscaper/budget";
import { type CallContext, FunctionError, type Value, byteLength, quote } from "@landscaper/golang";
import type { CreateKey, KeyKind } from "@landscaper/x509";
import type { AnyNode } from "../parse/node.ts";
import { nodeText } from "../parse/node-text.ts";
import { TemplateError, type TemplateErrorKind, type TemplatePosition } from "../template-error.ts";
import type { BudgetMeter } from "./budget.ts";
import type { CompiledTemplate } from "./compiled-template.ts";
import { OutputBuffer } from "./output-buffer.ts";

/** What `.x` gives when the map has no x: no value, the zero value of the map's element type, or an error. */
export type MissingKey = "default" | "zero" | "error";

/** What an execution needs of the set of templates it runs in. */
export interface TemplateLookup {
  lookup(name: string): CompiledTemplate | undefined;
  readonly missingKey: MissingKey;
}

/** What surrounds an execution and everything inside it. */
export interface Surroundings {
  readonly meter: BudgetMeter;
  readonly environment: unknown;
  readonly now: (() => Date) | undefined;
  readonly random: ((bytes: number) => Uint8Array) | undefined;
  readonly createKey: CreateKey;
}

/** One template to run. */
export interface Execution {
  readonly templates: TemplateLookup;
  readonly surroundings: Surroundings;
  readonly template: CompiledTemplate;
  readonly data: Value;
  /** Depth of templates within templates. */
  readonly depth: number;
}

/** The moving parts of one execution. Compiled templates are closures over nothing but this. */
export class ExecState implements CallContext {
  readonly templates: TemplateLookup;
  readonly meter: BudgetMeter;
  readonly #surroundings: Surroundings;
  /** The node that is being evaluated, for error positions: set where Go sets it. */
  node: AnyNode | undefined;
  template: CompiledTemplate;
  dot: Value;
  /** Whether dot came out of a collection of interface {}: only error texts tell the difference. */
  dotIsInterface = false;
  variables: Value[];
  /** As dotIsInterface, by variable. */
  interfaceVariables: boolean[] = [];
  depth: number;
  readonly output = new OutputBuffer();

  constructor({ templates, surroundings, template, data, depth }: Execution) {
    this.templates = templates;
    this.#surroundings = surroundings;
    this.meter = surroundings.meter;
    this.template = template;
    this.dot = data;
    this.depth = depth;
    this.variables = [data];
  }

  get environment(): unknown {
    return this.#surroundings.environment;
  }

  now(): Date {
    if (this.#surroundings.now === undefined) throw new FunctionError("there is no clock");
    return this.#surroundings.now();
  }

  random(bytes: number): Uint8Array {
    if (this.#surroundings.random === undefined) throw new FunctionError("there is no source of random bytes");
    return this.#surroundings.random(bytes);
  }

  createKey(kind: KeyKind): string {
    return this.#surroundings.createKey(kind);
  }

  setVariable(slot: number, value: Value, isInterface: boolean): void {
    this.variables[slot] = value;
    this.interfaceVariables[slot] = isInterface;
  }

  write(text: string): void {
    this.output.write(text);
    if (this.output.length > this.meter.maxOutput) this.meter.checkOutput(this.output.length);
  }

  charge(units: number): void {
    this.meter.charge(units);
  }

  chargeValue(value: Value): void {
    this.meter.chargeValue(value);
  }

  checkSize(length: number): void {
    this.meter.checkSize(length);
  }

  spend(steps: number): void {
    this.meter.step(steps);
  }

  executeTemplate(name: string, data: Value): string {
    return this.executeIn(this.templates, name, data);
  }

  executeIn(templates: TemplateLookup, name: string, data: Value): string {
    const template = templates.lookup(name);
    if (template === undefined) {
      const message = `template: no template ${quote(name)} associated with template ${quote(this.template.name)}`;
      throw new TemplateError(message, { kind: "execution", position: { templateName: name, line: 0 } });
    }
    return execute({ templates, surroundings: this.#surroundings, template, data, depth: this.depth + 1 });
  }

  /** Ends the execution with an error at the current node, in Go's form. */
  fail(message: string, options: { kind?: TemplateErrorKind; cause?: unknown } = {}): never {
    const { name } = this.template;
    const kind = options.kind ?? "execution";
    if (this.node === undefined) {
      throw new TemplateError(`template: ${name}: ${message}`, {
        kind,
        position: { templateName: name, line: 0 },
        cause: options.cause,
      });
    }
    const position = positionOf(this.node);
    const at = `${position.templateName}:${position.line}:${position.column}`;
    const text = `template: ${at}: executing ${quote(name)} at <${nodeText(this.node)}>: ${message}`;
    throw new TemplateError(text, { kind, position, cause: options.cause });
  }
}

/** Runs a compiled template; all errors that templates can cause come as TemplateError. */
export function execute(execution: Execution): string {
  const state = new ExecState(execution);
  if (state.depth > state.meter.maxDepth) throw new BudgetError(`templates nested deeper than ${state.meter.maxDepth}`);
  try {
    state.template.run(state);
  } catch (error) {
    if (error instanceof BudgetError) state.fail(`budget exceeded: ${error.problem}`, { kind: "budget" });
    if (error instanceof RangeError) state.fail(`budget exceeded: ${rangeErrorText(error)}`, { kind: "budget" });
    throw error;
  }
  return state.output.text;
}

/** V8 says this for recursion and for strings beyond half a gigabyte; both are the template's doing. */
function rangeErrorText(error: RangeError): string {
  return error.message.includes("call stack") ? "nested too deeply" : "a value is too large";
}

function positionOf(node: AnyNode): TemplatePosition {
  const before = node.source.text.slice(0, node.pos);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let i = before.indexOf("\n"); i >= 0; i = before.indexOf("\n", i + 1)) line++;
  return { templateName: node.source.parseName, line, column: byteLength(before.slice(lineStart)) };
}
