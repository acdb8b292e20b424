import { LineCounter, parseDocument } from "yaml";
import { connectAliases } from "./connect-aliases.ts";
import { YamlDecoder } from "./yaml-decoder.ts";
import { YamlError } from "./yaml-error.ts";

export interface FromYamlOptions {
  /**
   * "float": all numbers as number, as Go's json.Unmarshal into interface{} does. "exact": integers beyond 2^53 as
   * bigint. Default "float".
   */
  readonly integers?: "float" | "exact";
  /** What a repeated key means: an error that names it (as for Kubernetes' strict decoding), or that the last one wins. */
  readonly duplicateKeys?: "error" | "last";
}

/** Characters that no YAML text may have. */
// eslint-disable-next-line no-control-regex -- control characters are what is refused
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/**
 * The first document of a YAML text as plain data, read as sigs.k8s.io/yaml does: YAML 1.1 words (yes, no, on, off, y,
 * n), octal 010, merge keys, keys turned to strings. An empty text is null. Throws YamlError.
 */
export function fromYaml(text: string, options: FromYamlOptions = {}): unknown {
  if (forbidden.test(text)) throw new YamlError("yaml: control characters are not allowed");
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: "1.1",
    schema: "failsafe",
    uniqueKeys: false,
    merge: false,
    lineCounter: lines,
    logLevel: "silent",
    prettyErrors: false,
  });
  const problem = document.errors.find((error) => error.code !== "MULTIPLE_DOCS");
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new YamlError(`yaml: line ${line}: ${problem.message}`, { line, column: col });
  }
  const decoder = new YamlDecoder({
    text,
    lines,
    anchored: connectAliases(document.contents),
    isExact: options.integers === "exact",
    rejectDuplicates: options.duplicateKeys === "error",
  });
  return decoder.decode(document.contents);
}
