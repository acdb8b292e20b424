import { createSpiff, yamlText } from "@landscaper/spiff";
import { askSpiff } from "../../oracles/spiff/recording.ts";
import type { FuzzTarget } from "./run-fuzz.ts";
import { plainValue } from "./spiff-documents.ts";

/** How the original and libs/spiff print plain values as YAML. */
export const spiffOutputTarget: FuzzTarget<unknown> = {
  cases: plainValue,
  compare: (values) => {
    const templates = values.map((value) => ({ name: "template.yaml", text: asciiJson({ value }) }));
    const answers = askSpiff(templates.map((template) => ({ template })));
    return templates.map((template, index) => {
      const answer = answers[index];
      const real = answer?.error ?? answer?.documents?.[0]?.yaml ?? "nothing";
      const ours = yamlText(createSpiff().merge({ template }).output);
      return real === ours
        ? undefined
        : `${template.text}\nspiff: ${JSON.stringify(real)}\nours:  ${JSON.stringify(ours)}`;
    });
  },
};

/** JSON that is YAML as well: there, other line breaks and odd spaces have a meaning of their own. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
