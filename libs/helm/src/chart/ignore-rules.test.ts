import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { goldenFolder } from "../../test/index.ts";
import { ChartError } from "./chart-error.ts";
import { parseIgnoreRules } from "./ignore-rules.ts";

/** Made by Helm from our rules; folders end in "/". */
interface Recorded {
  readonly rules: string;
  readonly paths: readonly string[];
  readonly result: { readonly ignored?: readonly string[]; readonly error?: string };
}

const cases = JSON.parse(readFileSync(join(goldenFolder, "ignore/rules.json"), "utf8")) as readonly Recorded[];

function run({ rules, paths }: Recorded): Recorded["result"] {
  try {
    const isIgnored = parseIgnoreRules(rules);
    return {
      ignored: paths.filter((path) => isIgnored(path.replace(/\/$/, ""), path.endsWith("/"))),
    };
  } catch (error) {
    if (error instanceof ChartError) return { error: error.message };
    throw error;
  }
}

describe("parseIgnoreRules", () => {
  it.each(cases.map((recorded) => [recorded.rules, recorded] as const))("%j as Helm", (_, recorded) => {
    expect(run(recorded)).toEqual(recorded.result);
  });
});
