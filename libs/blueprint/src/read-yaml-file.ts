import { boundText, repeatedKey, type Warning } from "@landscaper/api";
import { fromYaml, type RepeatedKey } from "@landscaper/goyaml";

/** Number of warnings for one file. */
const maxWarnings = 50;
/** Characters of a key in a warning. */
const maxKey = 100;

/** Reads a YAML file of a blueprint. The last of repeated keys wins, as in the original; each one is a warning. Throws YamlError. */
export function readYamlFile(text: string, file: string): { content: unknown; warnings: readonly Warning[] } {
  const warnings: Warning[] = [];
  const onRepeatedKey = (repeated: RepeatedKey): void => {
    if (warnings.length < maxWarnings) warnings.push(warnOfRepeatedKey(repeated, file));
  };
  return { content: fromYaml(text, { integers: "exact", onRepeatedKey }), warnings };
}

function warnOfRepeatedKey({ key, times, line }: RepeatedKey, file: string): Warning {
  const effect = times === 2 ? "twice; the first one has no effect" : `${times} times; only the last one has an effect`;
  return {
    reason: repeatedKey,
    message: `${file}:${line}: the key ${JSON.stringify(boundText(key, maxKey))} is given ${effect}`,
  };
}
