import { define, fromPlain, shallow } from "@landscaper/golang";
import { parseTemplate, sprigFunctions, type Template } from "@landscaper/gotemplate";
import { toYaml } from "@landscaper/goyaml";
import type { LineProcess } from "../measure/line-process.ts";
import { type Comparison, repeatFor, takeTurns, type TurnOptions } from "../measure/take-turns.ts";
import { type TemplateCase, templateCases, templateData } from "./template-cases.ts";

export interface TemplateMeasure {
  readonly name: string;
  readonly execution: Comparison;
  readonly ourParseNanoseconds: number;
  readonly theirParseNanoseconds: number;
}

interface GoAnswer {
  readonly out?: string;
  readonly nanoseconds?: number;
  readonly error?: string;
}

const functions = {
  ...sprigFunctions,
  include: shallow(define(["string", "any"], ([name, data], context) => context.executeTemplate(name, data))),
  toYaml: define(["any"], ([value]) => toYaml(value).replace(/\n$/, "")),
};

function parse({ name, text }: TemplateCase): Template {
  return parseTemplate({ name, text, functions, missingKey: "zero" });
}

async function ask(go: LineProcess, question: unknown): Promise<GoAnswer> {
  const answer = (await go.ask(question)) as GoAnswer; // the oracle's line
  if (answer.error !== undefined) throw new Error(`Go: ${answer.error}`);
  return answer;
}

/** Measures one template in both engines, after checking that they give the same text. */
async function measureTemplate(go: LineProcess, given: TemplateCase, options: TurnOptions): Promise<TemplateMeasure> {
  const { name, text } = given;
  const data = templateData();
  const loaded = await ask(go, { name, template: text, data, milliseconds: options.milliseconds });
  const template = parse(given);
  // Go's program decodes its data once, too.
  const value = fromPlain(data);
  const execute = (): string => template.execute(value, { sharesData: true });
  const out = execute();
  if (out !== loaded.out) throw new Error(`template ${name}: our output differs from Go's`);
  const execution = await takeTurns(
    (milliseconds) => repeatFor(milliseconds, execute),
    async (milliseconds) => (await ask(go, { name, milliseconds })).nanoseconds ?? Number.NaN,
    options,
  );
  const ourParseNanoseconds = repeatFor(options.milliseconds, () => parse(given));
  return { name, execution, ourParseNanoseconds, theirParseNanoseconds: loaded.nanoseconds ?? Number.NaN };
}

/** All templates, ours beside Go's; `go` is the oracle in its time mode. */
export async function measureTemplates(go: LineProcess, options: TurnOptions): Promise<TemplateMeasure[]> {
  const measures: TemplateMeasure[] = [];
  for (const each of templateCases()) measures.push(await measureTemplate(go, each, options));
  return measures;
}
