import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import { createBlueprint } from "../create-blueprint.ts";
import type { RenderContext } from "../render-context.ts";
import { withFrankMessage } from "./frank-message.ts";
import { traceSecrets, type TraceOptions, type Traced } from "./trace-secrets.ts";

const context: RenderContext = {
  source: createBlueprint({ "blueprint.yaml": { annotations: { note: "a word of the author" } } }),
  installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
  now: () => new Date("2024-02-29T12:00:00Z"),
  random: (bytes) => new Uint8Array(bytes),
};
const input = { value: "hunter2", shadow: "correct" };

function trace<T>(run: TraceOptions<string, T>["run"], given: TraceOptions<string, T>["input"] = input): Traced<T> {
  return traceSecrets({ context, input: given, run, bindingsOf: () => ({}), passesInput: true });
}

function failureOf(render: (secret: string) => LandscaperError): LandscaperError {
  try {
    trace((_context, secret) => {
      throw render(secret);
    });
  } catch (error) {
    if (error instanceof LandscaperError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

type Failure = readonly [reason: "InvalidInput" | "ConstructImports", line: number, rule: string];

function failWith([reason, line, rule]: Failure, secret: string): LandscaperError {
  const error = blueprintError(reason, "safe", { at: [{ file: "blueprint.yaml", line }] });
  return withFrankMessage(error, `: error calling ${rule}: it says ${secret}`);
}

describe("a failure whose message quotes operands", () => {
  const first: Failure = ["InvalidInput", 1, "fail"];

  it.each<readonly [string, Failure, string]>([
    ["shows what is the same in the second rendering", first, ": error calling fail: it says [...]"],
    ["shows no operand when that fails for another reason", ["ConstructImports", 1, "fail"], "safe"],
    ["shows no operand when that fails in another place", ["InvalidInput", 2, "fail"], "safe"],
    ["shows no operand when that fails in another function", ["InvalidInput", 1, "fromYaml"], "safe"],
  ])("%s", (_, second, want) => {
    expect(failureOf((secret) => failWith(secret === input.value ? first : second, secret)).message).toBe(want);
  });
});

describe("keys of a secret map", () => {
  const failureWith = (run: (imports: object) => LandscaperError): LandscaperError => {
    const value = { login: { hunterKey: "hunter2" }, word: "x" };
    const shadow = { login: { hunterKey: "correct" }, word: "x" };
    try {
      traceSecrets<object, never>({
        context,
        input: { value, shadow },
        run: (_context, imports) => {
          throw run(imports);
        },
        bindingsOf: (imports) => ({ imports }),
        passesInput: true,
      });
    } catch (error) {
      if (error instanceof LandscaperError) return error;
      throw error;
    }
    throw new Error("it did not fail");
  };

  it("are masked in a message that prints the map, and in the hint", () => {
    const failed = failureWith((imports) =>
      blueprintError("InvalidInput", `a word: ${JSON.stringify(imports)}`, { hint: "remove hunterKey" }),
    );
    expect([failed.message, failed.hint]).toEqual(['a word: {"login":{"[...]":"[...]"},"word":"x"}', "remove [...]"]);
  });
});

describe("the hint of a failure", () => {
  const withHint = (hint: string | undefined, reason: Failure[0] = "InvalidInput"): LandscaperError =>
    blueprintError(reason, "no", hint === undefined ? {} : { hint });

  it("does not show what differs in the second rendering", () => {
    expect(failureOf((secret) => withHint(`use ${secret} here`)).hint).toBe("use [...] here");
  });

  it("is not shown when the second failure has none", () => {
    expect(failureOf((secret) => withHint(secret === input.value ? "use hunter2" : undefined)).hint).toBe("[...]");
  });

  it("shows quoted words of the blueprint alone when the second rendering fails otherwise", () => {
    const other = (secret: string): Failure[0] => (secret === input.value ? "InvalidInput" : "ConstructImports");
    const { hint } = failureOf((secret) => withHint(`use "${secret}" or "a word of the author"`, other(secret)));
    expect(hint).toBe('use "[...]" or "a word of the author"');
  });
});

describe("the second rendering", () => {
  it("is left out after a failure for the limits of content, which it would exceed as well", () => {
    let count = 0;
    const failed = failureOf(() => {
      count += 1;
      return blueprintError("ContentLimitExceeded", 'imports.a: "hunter2" is too long');
    });
    expect([count, failed.message]).toEqual([1, 'imports.a: "[...]" is too long']);
  });

  it("is left out, and all is secret, when it is not known what is secret", () => {
    const seen: string[] = [];
    const traced = trace(
      (_context, secret) => {
        seen.push(secret);
        return secret;
      },
      { value: "hunter2", shadow: undefined },
    );
    expect([traced.value, traced.shadow, traced.confirm()]).toEqual(["hunter2", undefined, undefined]);
    expect(seen).toEqual(["hunter2"]);
  });
});
