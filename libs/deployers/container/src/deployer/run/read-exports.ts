import { typeWord } from "@landscaper/json";
import { LandscaperError, type Secret } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { fromYamlInTurns, YamlError } from "@landscaper/goyaml";
import { isJsonObject } from "@landscaper/resources";
import { containerAnnotations } from "../../contract/labels.ts";
import { contentKey } from "../../contract/state-index.ts";

/** What is parsed at most: a value takes a byte or two at least. */
const maxValues = 500_000;

/**
 * What the program of a Pod has exported, from the Secret that its wait container has written; undefined when that is of another Pod, or there is none.
 * Throws LandscaperError that names line and column, never a value.
 */
export async function readExports(
  secret: Secret | undefined,
  podName: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (secret?.metadata.annotations?.[containerAnnotations.job] !== podName) return undefined;
  const content = Buffer.from(secret.data?.[contentKey] ?? "", "base64");
  const text = content.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(content)) throw invalid("expected text in UTF-8, found other bytes");
  if (text.trim() === "") return undefined;
  const value = await parse(text);
  if (!isJsonObject(value)) throw invalid(`expected a mapping of names to values, found ${kindOf(value)}`);
  return value;
}

async function parse(text: string): Promise<unknown> {
  try {
    return await fromYamlInTurns(text, {
      breathe: createBreather(),
      maxValues,
      duplicateKeys: "error",
      integers: "exact",
    });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line, column, problem } = error;
    const place = line === undefined ? "" : `line ${line}${column === undefined ? "" : `, column ${column}`}: `;
    throw invalid(`${place}expected JSON or YAML, found a text that is neither: ${problem}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : `a ${typeWord(value)}`;
}

function invalid(problem: string): LandscaperError {
  return new LandscaperError({
    message: `the file that the program has written to EXPORTS_PATH: ${problem}`,
    reason: "ContainerExportsInvalid",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
