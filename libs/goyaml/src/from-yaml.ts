import { LineCounter, parseDocument } from "yaml";
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

/**
 * The first document of a YAML text as plain data, read as sigs.k8s.io/yaml does: YAML 1.1 words (yes, no, on, off, y,
 * n), octal 010, merge keys, keys turned to strings. An empty text is null. Throws YamlError.
 */
export function fromYaml(text: string, options: FromYamlOptions = {}): unknown {
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
    resolveAlias: (alias) => alias.resolve(document),
    isExact: options.integers === "exact",
    rejectDuplicates: options.duplicateKeys === "error",
  });
  return decoder.decode(document.contents);
}
