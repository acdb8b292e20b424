import { fileRecording } from "../file-recording.ts";

interface YamlCase {
  readonly value?: unknown;
  readonly yaml?: string;
  readonly strict?: boolean;
  /** Base64. */
  readonly bytes?: string;
  readonly stream?: string;
  readonly json?: string;
  /** Base64. */
  readonly jsonBytes?: string;
}

/** What read.go and main.go call the question of a case. */
function questionOf({ value, yaml, strict, bytes, stream, json, jsonBytes }: YamlCase): object {
  if (yaml !== undefined) return { fromYaml: yaml, strict };
  if (bytes !== undefined) return { fromYamlBytes: bytes };
  if (stream !== undefined) return { yamlStream: stream };
  if (json !== undefined) return { fromJson: json };
  return jsonBytes === undefined ? { toYaml: value } : { fromJsonBytes: jsonBytes };
}

/** sigs.k8s.io/yaml, go-yaml and encoding/json, which the program around Go's templates brings. */
export const goyamlRecording = fileRecording<YamlCase>({
  name: "goyaml",
  folder: "libs/goyaml/testdata",
  pattern: "*.json",
  engine: "gotemplate",
  questionOf,
  nameOf: (question) => JSON.stringify(question),
});
