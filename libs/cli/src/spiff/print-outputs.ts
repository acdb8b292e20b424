import { toGoJson } from "@landscaper/goyaml";
import { yamlText } from "@landscaper/spiff";

export interface OutputForm {
  readonly json: boolean;
  /** Lists become one document for each item. */
  readonly split: boolean;
}

/** Plain data as one document in the form that was asked for. */
export function printValue(value: unknown, json: boolean): string {
  return json ? `${toGoJson(value)}\n` : yamlText(value);
}

/** The documents of a result as the original prints them; undefined stands for an empty document. */
export function printOutputs(outputs: readonly unknown[], { json, split }: OutputForm): string {
  const isStream = outputs.length > 1;
  return outputs
    .map((output) => {
      if (output === undefined) return json ? "" : "---\n";
      const isSplit = split && Array.isArray(output);
      const parts: readonly unknown[] = isSplit ? output : [output];
      const mark = !json && (isStream || isSplit) ? "---\n" : "";
      return parts.map((part) => mark + printValue(part, json)).join("");
    })
    .join("");
}
