// Runs bad inputs in a thread of its own, whose memory is limited: see bad-input.test.ts.
import { define, shallow } from "@landscaper/golang";
import { toYaml } from "@landscaper/goyaml";
import { createKey, type KeyKind } from "@landscaper/x509";
import { parentPort } from "node:worker_threads";
import { sprigFunctions } from "../src/sprig/sprig-functions.ts";
import { TemplateError, type TemplateErrorKind } from "../src/template-error.ts";
import { parseTemplate } from "../src/template-set.ts";
import { type BadInput, badInputs } from "./bad-inputs.ts";

/** What became of an input. */
export interface BadInputResult {
  /** Undefined when the template came to an end. */
  readonly kind: TemplateErrorKind | undefined;
  /** The beginning of it. */
  readonly message: string;
  readonly cpuMs: number;
}

const functions = {
  ...sprigFunctions,
  include: shallow(define(["string", "any"], ([name, data], context) => context.executeTemplate(name, data))),
  toYaml: define(["any"], ([value]) => toYaml(value)),
};

const shared = {
  large: "x".repeat(1_000_000),
  lines: "x\n".repeat(1000),
  list: Array.from({ length: 1000 }, (_, i) => i),
};

const keys = new Map<string, string>();

/** One key of each kind: how long it takes to find its primes is a matter of luck, and not what is measured here. */
function keyOf(kind: KeyKind): string {
  const name = JSON.stringify(kind);
  const key = keys.get(name) ?? createKey(kind);
  keys.set(name, key);
  return key;
}
keyOf({ type: "rsa", bits: 2048 });
keyOf({ type: "rsa", bits: 4096 });

function run({ text, data }: BadInput): { kind: TemplateErrorKind | undefined; message: string } {
  try {
    const template = parseTemplate({ name: "t", text, functions });
    const now = (): Date => new Date(0);
    const output = template.execute(data?.() ?? shared, {
      now,
      random: (bytes) => new Uint8Array(bytes),
      createKey: keyOf,
    });
    return { kind: undefined, message: `${output.length} characters` };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { kind: error.kind, message: error.message };
  }
}

parentPort?.on("message", (index: number) => {
  const input = badInputs[index];
  if (input === undefined) throw new Error(`there is no bad input ${index}`);
  const started = process.threadCpuUsage();
  const { kind, message } = run(input);
  const { user, system } = process.threadCpuUsage(started);
  const result: BadInputResult = { kind, message: message.slice(0, 100), cpuMs: (user + system) / 1000 };
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(result);
});
