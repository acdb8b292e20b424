import {
  type CallContext,
  FunctionError,
  type FunctionMap,
  type Value,
  define,
  quote,
  shallow,
} from "@landscaper/golang";
import { TemplateError } from "@landscaper/gotemplate";
import { environmentOf } from "./helm-environment.ts";

/** The name of Helm's outermost template, which error texts show. */
const rootName = "gotpl";
/** A template may be in the middle of this many inclusions of itself. */
const maxNestedIncludes = 1000;

/** What parsing an action costs, in steps of the budget. */
const stepsPerAction = 200;

/** An error that a chart's author wrote (`fail`, `required`): shown with the place and these words alone. */
export class AuthorError extends FunctionError {}

function include(name: string, data: Value, context: CallContext): string {
  const { templates, includes } = environmentOf(context);
  const count = includes.get(name) ?? 0;
  if (count > maxNestedIncludes) {
    throw new FunctionError(`rendering template has a nested reference name: ${name}: unable to execute template`);
  }
  if (templates.lookup(name) === undefined) {
    throw new FunctionError(`template: no template ${quote(name)} associated with template ${quote(rootName)}`);
  }
  includes.set(name, count + 1);
  const output = context.executeIn(templates, name, data ?? undefined);
  includes.set(name, count);
  return output;
}

/** Renders a text with the templates around it; what it defines is seen in it alone. */
function tpl(text: string, data: Value, context: CallContext): string {
  context.spend(text.split("{{").length * stepsPerAction + text.length);
  const environment = environmentOf(context);
  const parent = environment.templates;
  const templates = parent.clone();
  // A text without output must not leave an outer text of this name in place.
  templates.remove(rootName);
  wrapErrors(`cannot parse template ${quote(text)}`, () => templates.parse(rootName, text));
  environment.templates = templates;
  try {
    const run = (): string => context.executeIn(templates, rootName, data ?? undefined);
    return wrapErrors(`error during tpl function execution for ${quote(text)}`, run).replaceAll("<no value>", "");
  } finally {
    environment.templates = parent;
  }
}

function wrapErrors<T>(prefix: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    // Work beyond the budget ends the whole rendering.
    if (!(error instanceof TemplateError) || error.kind === "budget") throw error;
    throw new FunctionError(`${prefix}: ${error.message}`, { cause: error });
  }
}

export const flowFunctions: FunctionMap = {
  include: shallow(define(["string", "any"], ([name, data], context) => include(name, data, context))),
  tpl: define(["string", "any"], ([text, data], context) => tpl(text, data, context)),
  required: define(["string", "any"], ([message, value]) => {
    if (value === null || value === undefined || value === "") throw new AuthorError(message);
    return value;
  }),
  fail: define(["string"], ([message]) => {
    throw new AuthorError(message);
  }),
};
