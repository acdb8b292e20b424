import { define, fromPlain, FunctionError } from "@landscaper/golang";
import { fromYaml, toYaml, YamlError } from "@landscaper/goyaml";
import { createKey, type KeyKind } from "@landscaper/x509";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sprigFunctions } from "../src/sprig/sprig-functions.ts";
import { TemplateError } from "../src/template-error.ts";
import { TemplateSet } from "../src/template-set.ts";

/** A template with what Go makes of it. */
export interface GoldenCase {
  readonly template: string;
  readonly missingKey?: "default" | "zero" | "error";
  readonly delimiters?: readonly [left: string, right: string];
  /** The data of data.json when absent. */
  readonly data?: unknown;
  readonly out?: string;
  readonly error?: string;
}

/** Where the recorded cases are: results of Go's text/template with sprig v3.3.0, from our templates. */
export const goldenFolder: string = join(import.meta.dirname, "../testdata");

/** The data of all cases that bring none. */
export const sharedData: unknown = JSON.parse(readFileSync(join(goldenFolder, "data.json"), "utf8"));

/** Names of the files with cases. */
export function goldenFiles(): string[] {
  return readdirSync(goldenFolder)
    .filter((file) => file.endsWith(".json") && file !== "data.json")
    .toSorted();
}

/** The recorded cases of a file. */
export function readGolden(file: string): GoldenCase[] {
  return JSON.parse(readFileSync(join(goldenFolder, file), "utf8")) as GoldenCase[];
}

const functions = {
  ...sprigFunctions,
  toYaml: define(["any"], ([value]) => toYaml(value).replace(/\n$/, "")),
  fromYaml: define(["string"], ([text]) => {
    try {
      return fromPlain(fromYaml(text));
    } catch (error) {
      if (error instanceof YamlError) throw new FunctionError(error.message);
      throw error;
    }
  }),
};

/** The clock of the program that makes the results. */
const now = (): Date => new Date(Date.UTC(2024, 1, 29, 13, 4, 5, 678));

const slowKeys = new Map<string, string>();

/** Keys that take long to find serve all cases; the others are new ones. */
function createTestKey(kind: KeyKind): string {
  if (kind.type !== "rsa" && kind.type !== "dsa") return createKey(kind);
  const key = slowKeys.get(kind.type) ?? createKey(kind);
  slowKeys.set(kind.type, key);
  return key;
}

/** What our engine makes of a case, with the functions of the program that makes the results. */
export function runOurs({
  template,
  missingKey = "zero",
  delimiters = ["{{", "}}"],
  ...given
}: GoldenCase): Pick<GoldenCase, "out" | "error"> {
  const set = new TemplateSet({ functions, missingKey, delimiters: { left: delimiters[0], right: delimiters[1] } });
  const data = "data" in given ? (given.data ?? undefined) : sharedData;
  try {
    set.parse("t", template);
    const random = (bytes: number): Uint8Array => new Uint8Array(bytes);
    return { out: set.execute("t", data, { now, random, createKey: createTestKey }) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}
