import { isDeepStrictEqual } from "node:util";
import { toFloat64 } from "@landscaper/json";
import { createSpiff } from "@landscaper/spiff";
import type { LineProcess } from "../measure/line-process.ts";
import { type SpiffCase, spiffCases } from "./spiff-cases.ts";
import { type Comparison, repeatFor, takeTurns, type TurnOptions } from "../measure/take-turns.ts";

export interface SpiffMeasure {
  readonly name: string;
  /** Text in, value out, the text being known from the run before, as in a service that renders a blueprint again. */
  readonly evaluation: Comparison;
  /** The same with nothing kept. */
  readonly firstNanoseconds: number;
  readonly limitMilliseconds: number | undefined;
}

/** The reference: one process that answers, one that measures. */
export interface SpiffReference {
  readonly answers: LineProcess;
  readonly times: LineProcess;
}

/** One instance as in a service, which keeps what it has parsed; the reference keeps nothing. */
const spiff = createSpiff();

function evaluate({ name, text }: SpiffCase, engine = spiff): unknown {
  return engine.merge({ template: { name, text } }).output;
}

async function checkResult({ answers }: SpiffReference, given: SpiffCase): Promise<void> {
  const template = { name: given.name, text: given.text };
  const answer = (await answers.ask({ template, timeoutMs: 60_000 })) as {
    readonly documents?: readonly { readonly json: string }[];
    readonly error?: string;
  }; // the oracle's line
  const theirs: unknown = JSON.parse(answer.documents?.[0]?.json ?? "null");
  if (answer.error !== undefined) throw new Error(`spiff: ${given.name}: ${answer.error}`);
  const ours: unknown = JSON.parse(JSON.stringify(toFloat64(evaluate(given))));
  if (!isDeepStrictEqual(ours, theirs)) throw new Error(`${given.name}: our value differs from the reference's`);
}

async function measureDocument(
  reference: SpiffReference,
  given: SpiffCase,
  options: TurnOptions,
): Promise<SpiffMeasure> {
  await checkResult(reference, given);
  const template = { name: given.name, text: given.text };
  const evaluation = await takeTurns(
    (milliseconds) => repeatFor(milliseconds, () => evaluate(given)),
    async (milliseconds) => {
      const answer = (await reference.times.ask({ template, milliseconds })) as {
        readonly nanoseconds?: number;
        readonly error?: string;
      }; // the oracle's line
      if (answer.nanoseconds === undefined) throw new Error(`spiff: ${given.name}: ${answer.error}`);
      return answer.nanoseconds;
    },
    options,
  );
  const firstNanoseconds = repeatFor(options.milliseconds, () => evaluate(given, createSpiff()));
  return { name: given.name, evaluation, firstNanoseconds, limitMilliseconds: given.limitMilliseconds };
}

/** Number of characters. The reference takes seconds for longer texts. */
const shortText = 50_000;

/** Measures all documents of spiff.md §8, ours beside the reference; if `isShort`, only those that the reference evaluates quickly. */
export async function measureSpiff(
  reference: SpiffReference,
  options: TurnOptions & { readonly isShort: boolean },
): Promise<SpiffMeasure[]> {
  const cases = spiffCases().filter(({ text }) => !options.isShort || text.length < shortText);
  const measures: SpiffMeasure[] = [];
  for (const each of cases) measures.push(await measureDocument(reference, each, options));
  return measures;
}
