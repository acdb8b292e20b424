import { goJson } from "../json/go-json.ts";
import { tooManyValues } from "./alias-budget.ts";
import type { YamlNode } from "../nodes/node.ts";
import { stepsPerPart } from "../nodes/node-parser.ts";
import { parseFirstDocument, parseFirstDocumentInParts } from "../nodes/parse-yaml-nodes.ts";
import { findRepeatedKeys, type RepeatedKey } from "../nodes/repeated-keys.ts";
import { YamlDecoder } from "./yaml-decoder.ts";
import { YamlError } from "../yaml-error.ts";

export interface FromYamlOptions {
  /**
   * "float": all numbers as number, as Go's json.Unmarshal into interface{} does. "exact": integers beyond 2^53 as
   * bigint. Default "float".
   */
  readonly integers?: "float" | "exact";
  /**
   * "written": numbers as WrittenNumber, for readers that give Go's string fields the text that sigs.k8s.io/yaml makes of
   * numbers (1.10 is "1.1", 1e6 is "1e+06"); those that JSON does not have are among them. Default "plain".
   */
  readonly numbers?: "plain" | "written";
  /** What a repeated key means: an error that names it (as for Kubernetes' strict decoding), or that the last one wins. */
  readonly duplicateKeys?: "error" | "last";
  /** Receives each repeated key of a document that could be read. */
  readonly onRepeatedKey?: (repeated: RepeatedKey) => void;
}

/**
 * The first document of a YAML text as plain data, read as sigs.k8s.io/yaml does: YAML 1.1 words (yes, no, on, off, y,
 * n), octal 010, merge keys, keys turned to strings. An empty text is null. Throws YamlError with the words that Go has,
 * "error converting YAML to JSON: " included.
 */
export function fromYaml(text: string, options: FromYamlOptions = {}): unknown {
  try {
    return decode(parseFirstDocument(text), options);
  } catch (error) {
    throw conversionError(error);
  }
}

export interface TurnOptions extends FromYamlOptions {
  /** Called often; gives others a turn when it is time. */
  readonly breathe: () => Promise<void>;
  /** More values are refused: what they become is made at once. */
  readonly maxValues: number;
}

/** As `fromYaml`, for texts of any size: reading one takes microseconds for each value. */
export async function fromYamlInTurns(text: string, { breathe, maxValues, ...options }: TurnOptions): Promise<unknown> {
  try {
    const parts = parseFirstDocumentInParts(text);
    for (let steps = 0; ; steps += stepsPerPart) {
      // A key and a value are a step each, and nothing has more steps than two.
      if (steps > 2 * maxValues) throw tooManyValues(maxValues);
      const { done, value: root } = parts.next();
      if (done === true) return decode(root, options, maxValues);
      await breathe();
    }
  } catch (error) {
    throw conversionError(error);
  }
}

function decode(root: YamlNode | undefined, options: FromYamlOptions, maxValues?: number): unknown {
  if (root === undefined) return null;
  const decoder = new YamlDecoder({
    isExact: options.integers === "exact",
    rejectDuplicates: options.duplicateKeys === "error",
    isWritten: options.numbers === "written",
    maxValues,
  });
  const value = decoder.decodeRoot(root);
  // Throws for the number that Go's JSON meets first.
  if (decoder.hasNonFinite && options.numbers !== "written") goJson(value);
  if (options.onRepeatedKey !== undefined) for (const each of findRepeatedKeys(root)) options.onRepeatedKey(each);
  return value;
}

function conversionError(error: unknown): unknown {
  const prefix = "error converting YAML to JSON: ";
  if (error instanceof YamlError) return new YamlError(prefix + error.message, error);
  if (!(error instanceof RangeError) || !error.message.startsWith("json: ")) return error;
  return new YamlError(prefix + error.message, { problem: error.message });
}
