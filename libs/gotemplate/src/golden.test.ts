import { define, fromPlain } from "@landscaper/golang";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromYaml, toYaml } from "@landscaper/goyaml";
import { describe, expect, it } from "@jest/globals";
import { sprigFunctions } from "./sprig/sprig-functions.ts";
import { TemplateError } from "./template-error.ts";
import { TemplateSet } from "./template-set.ts";

interface GoldenCase {
  readonly template: string;
  readonly missingKey?: "default" | "zero" | "error";
  readonly data?: unknown;
  readonly out?: string;
  readonly error?: string;
}

const folder = join(import.meta.dirname, "../testdata");
const sharedData: unknown = JSON.parse(readFileSync(join(folder, "data.json"), "utf8"));
/** The clock of the program that made the results. */
const now = (): Date => new Date(Date.UTC(2024, 1, 29, 13, 4, 5, 678));

const functions = {
  ...sprigFunctions,
  toYaml: define(["any"], ([value]) => toYaml(value).replace(/\n$/, "")),
  fromYaml: define(["string"], ([text]) => fromPlain(fromYaml(text))),
};

function run({ template, missingKey = "zero", ...given }: GoldenCase): Pick<GoldenCase, "out" | "error"> {
  const set = new TemplateSet({ functions, missingKey });
  const data = "data" in given ? (given.data ?? undefined) : sharedData;
  try {
    set.parse("t", template);
    return { out: set.execute("t", data, { now, random: (bytes) => new Uint8Array(bytes) }) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

/** Results of Go 1.26 text/template with sprig v3.3.0, from our templates. */
const groups = readdirSync(folder).filter((file) => file.endsWith(".json") && file !== "data.json");

describe.each(groups)("Go and we agree on %s", (file) => {
  const cases = JSON.parse(readFileSync(join(folder, file), "utf8")) as GoldenCase[];
  it.each(cases.map((goldenCase) => [goldenCase.template, goldenCase] as const))("%s", (_, goldenCase) => {
    const { out, error } = goldenCase;
    expect(run(goldenCase)).toEqual(out === undefined ? { error } : { out });
  });
});
