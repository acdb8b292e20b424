import { ContentBudget } from "@landscaper/budget";
import { describe, expect, it } from "@jest/globals";
import { sprigFunctions } from "../sprig/sprig-functions.ts";
import { TemplateError } from "../template-error.ts";
import { parseTemplate } from "../template-set.ts";
import type { Budget } from "./budget.ts";

function failure(text: string, budget?: Budget): TemplateError {
  try {
    parseTemplate({ name: "t", text, functions: sprigFunctions }).execute({}, budget === undefined ? {} : { budget });
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error("the template came to an end");
}

describe("budgets", () => {
  it("says which limit it was", () => {
    expect(failure("{{ range 100 }}{{ end }}", { maxSteps: 50 }).message).toBe(
      'template: t:1:9: executing "t" at <100>: budget exceeded: more than 50 steps',
    );
    expect(failure("{{ range 100 }}0123456789{{ end }}", { maxOutput: 500 }).message).toBe(
      'template: t:1:9: executing "t" at <100>: budget exceeded: output of at least 510 characters, the limit is 500',
    );
    expect(failure('{{ repeat 100 "0123456789" }}', { maxOutput: 500 }).message).toBe(
      'template: t:1:3: executing "t" at <repeat 100 "0123456789">: budget exceeded: a value of at least 1000 characters, the limit is 500',
    );
    expect(failure('{{ define "r" }}{{ template "r" }}{{ end }}{{ template "r" }}', { maxDepth: 5 }).message).toBe(
      'template: t:1:28: executing "r" at <{{template "r"}}>: budget exceeded: templates nested deeper than 5',
    );
  });

  it("counts time on the clock that it is given", () => {
    let now = 0;
    const budget: Budget = { content: new ContentBudget({ timeMs: 1000, clock: () => (now += 100) }) };
    expect(failure("{{ range 1000000000 }}{{ end }}", budget).message).toBe(
      'template: t:1:9: executing "t" at <1000000000>: budget exceeded: more than 1000 ms',
    );
  });

  it("ends a 10 MB template of nested blocks with an error", () => {
    const error = failure("{{ if 1 }}".repeat(1_000_000));
    expect(error.message).toMatch(/^template: t:?1?: (unexpected EOF|budget exceeded: nested too deeply)$/);
  });

  it("reads 10 MB of text", () => {
    const text = "0123456789".repeat(1_000_000);
    expect(parseTemplate({ name: "t", text }).execute({})).toHaveLength(10_000_000);
  });
});
