import { ContentBudget } from "@landscaper/budget";
import type { Float64Value } from "@landscaper/json";
import { LandscaperError } from "@landscaper/api";
import { toYaml } from "@landscaper/goyaml";
import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { createBlueprint } from "../create-blueprint.ts";
import type { RenderContext } from "../render-context.ts";
import { executeSpiff, type SpiffOutput } from "./execute-spiff.ts";

function contextOf(changes: Partial<RenderContext> = {}): RenderContext {
  return {
    source: createBlueprint({ "blueprint.yaml": "{}", folder: { "a.txt": "text" } }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes).fill(7),
    ...changes,
  };
}

function execute(text: string, changes: Partial<RenderContext> = {}, state?: Float64Value): SpiffOutput {
  const context = contextOf(changes);
  const template = { name: "e", text };
  return executeSpiff({ where: "e", template, document: "template", bindings: {}, context, execution: { state } });
}

function failure(text: string, changes: Partial<RenderContext> = {}): LandscaperError {
  try {
    execute(text, changes);
  } catch (error) {
    if (error instanceof LandscaperError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string().filter((text) => !/^\(\(|\)\)$/.test(text)),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constantFrom(
      null,
      "yes",
      "0o7",
      "1:30",
      "2024-01-01",
      "1_000",
      "0x1f",
      "~",
      "<<",
      " a: b",
      "- x",
      "é\n\ttab",
      "",
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => !/^<<<?!*$|^__proto__$/.test(key)),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

describe("executeSpiff", () => {
  it("returns data without expressions unchanged, as text and as state", () => {
    fc.assert(
      fc.property(data, (value) => {
        const result = execute(toYaml({ value, kept: "(( &state ( value ) ))" }));
        const { value: plain } = JSON.parse(JSON.stringify({ value })) as { value: unknown };
        // -0 is an integer for YAML.
        expect(JSON.parse(JSON.stringify(result.output))).toEqual({ value: plain, kept: plain });
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  it("gives numbers, also of integers that only text can hold", () => {
    expect(execute("a: 9007199254740993\nb: (( a + 1 ))\nc: (( 7 / 2 ))\nd: (( 7.0 / 2 ))\n").output).toEqual({
      a: 9_007_199_254_740_993n,
      b: 9_007_199_254_740_994n,
      c: 3,
      d: 3.5,
    });
  });

  it("lends files, but no folders and nothing outside of the blueprint", () => {
    const text =
      'a: (( read("folder/a.txt") ))\nb: (( read("folder") || "none" ))\nc: (( read("../x", "text") || "none" ))\n';
    expect(execute(text).output).toEqual({ a: "text", b: "none", c: "none" });
  });

  it("lists the files and folders of the blueprint", () => {
    const text =
      'a: (( list_files("folder") ))\nb: (( list_dirs(".") ))\nc: (( list_files("/") ))\nd: (( list_dirs("..") || "none" ))\n';
    expect(execute(text).output).toEqual({ a: ["a.txt"], b: ["folder"], c: ["blueprint.yaml"], d: "none" });
  });

  it.each([
    "getResource",
    "getComponent",
    "getResourceKey",
    "getResourceContent",
    "parseOCIRef",
    "ociRefRepo",
    "ociRefVersion",
    "getShootAdminKubeconfig",
    "getShootAdminKubeconfigWithExpirationTimestamp",
    "getServiceAccountKubeconfig",
    "getServiceAccountKubeconfigWithExpirationTimestamp",
    "getOidcKubeconfig",
  ])("knows %s", (name) => {
    expect(failure(`a: (( ${name}() ))\n`).message).toMatch(/\*expected .* found (?:none|0)$/m);
  });

  it.each(["getResources", "getRepositoryContext", "include", "readFile", "toYaml"])("does not know %s", (name) => {
    expect(failure(`a: (( ${name}("x") ))\n`).message).toMatch(
      new RegExp(`\\*(?:unknown function '${name}'|function '${name}' is not available)`),
    );
  });

  it("ends with what a host throws to ask for input, also where the document would do without it", () => {
    class NeedsInput extends Error {}
    const host = {
      functions: {
        getOidcKubeconfig: () => {
          throw new NeedsInput();
        },
      },
    };
    for (const expression of ['getOidcKubeconfig("x", "y", {})', 'getOidcKubeconfig("x", "y", {}) || "none"']) {
      expect(() => execute(`a: (( ${expression} ))\n`, { host })).toThrow(NeedsInput);
    }
  });

  it("keeps the code of what a host refuses", () => {
    const host = {
      functions: {
        getOidcKubeconfig: () => {
          throw new LandscaperError({ message: "the token was refused", reason: "Test", codes: ["ERR_UNAUTHORIZED"] });
        },
      },
    };
    const error = failure('a: (( getOidcKubeconfig("i", "c", {}) ))\n', { host });
    expect(error.message).toContain("*the token was refused");
    expect(error.cause).toMatchObject({ codes: ["ERR_UNAUTHORIZED"] });
  });

  it("gives plain data to host functions and takes plain data from them", () => {
    const calls: (readonly unknown[])[] = [];
    const host = {
      functions: {
        getShootAdminKubeconfig: (...args: readonly unknown[]) => {
          calls.push(args);
          return { text: "config", numbers: [1, 2] };
        },
      },
    };
    const text = 'r: (( getShootAdminKubeconfig("s", "ns", 60 * 60, { "a" = [1] }) ))\nnext: (( r.numbers[1] + 1 ))\n';
    expect(execute(text, { host }).output).toEqual({ r: { text: "config", numbers: [1, 2] }, next: 3 });
    expect(calls).toEqual([["s", "ns", 3600, { a: [1] }]]);
  });

  it.each([
    ["steps", "r: (( sum[[1..100000]|0|s,e|-> s + e] ))\n", { maxSteps: 1000 }, "more than 1000 steps"],
    ["size", "r: (( [1..100000] ))\n", { maxOutput: 1000 }, "results of more than 1000 characters or entries"],
    ["depth", "f: (( |x|-> _(x + 1) ))\nr: (( .f(1) ))\n", { maxDepth: 10 }, "more than 10 calls within calls"],
  ])("bounds %s as those of Go templates", (...[_name, text, budget, message]) => {
    expect(failure(text, { budget }).message).toContain(message);
  });

  it("bounds time by the given clock", () => {
    let ticks = 0;
    const budget = { content: new ContentBudget({ timeMs: 5, clock: () => ticks++ }) };
    const text = "r: (( sum[[1..30000]|0|s,e|-> sum[[1..30000]|0|a,b|-> a + b]] ))\n";
    expect(failure(text, { budget }).message).toContain("more than 5 ms");
  });

  it("shows the first lines of many errors", () => {
    const text = Array.from({ length: 50 }, (_, i) => `k${i}: (( nothing.${i} ))\n`).join("");
    const { message } = failure(text);
    expect(message.match(/\tin template\t/g)).toHaveLength(11);
    expect(message).toContain("\t... (51 lines)\ntemplate ");
  });
});
