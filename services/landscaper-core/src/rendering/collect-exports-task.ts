import { hashDataObjectValue, isJson, LandscaperError } from "@landscaper/api";
import { fromYaml } from "@landscaper/goyaml";
import { parseJson } from "@landscaper/json";
import { pack } from "@landscaper/threads";
import { checkLevels, checkSize } from "./render-failure.ts";
import type { CollectResult, ItemExport } from "./render-task.ts";

/** What is wrong with the exports of a deploy item. */
export function exportError(item: string, problem: string, hint?: string): LandscaperError {
  return new LandscaperError({
    message: `deploy item "${item}": ${problem}`,
    reason: "CollectExports",
    operation: "CollectExports",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint,
    retry: "never",
  });
}

/** The exports of the items of an Execution as one value, by item name (core.md §1.3 no. 66). Throws LandscaperError. */
export function collectItemExports(exports: readonly ItemExport[], onStep: (step: string) => void): CollectResult {
  const values = Object.fromEntries(
    exports.map(({ item, secret, text }) => {
      const what = `exports of deploy item "${item}"`;
      onStep(what);
      const value = readExports({ item, secret, text });
      checkLevels(value, what);
      return [item, value];
    }),
  );
  const packed = pack(values);
  checkSize(packed.byteLength, "the exports of all deploy items together");
  return { values: packed, isEmpty: exports.length === 0, hash: hashDataObjectValue(values) };
}

/** Characters of base64 that any JSON text is read from within a few milliseconds. */
const maxQuickLength = 16 * 1024;

/** Whether `collectItemExports` is as quick as a message to a thread: few characters, and no YAML. */
export function areQuicklyRead(exports: readonly ItemExport[]): boolean {
  const length = exports.reduce((sum, { text }) => sum + text.length, 0);
  return length <= maxQuickLength && exports.every(({ text }) => isJson(Buffer.from(text, "base64").toString("utf8")));
}

function readExports({ item, secret, text }: ItemExport): unknown {
  try {
    return parseExports(Buffer.from(text, "base64").toString("utf8"));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // The cause would quote the value.
    throw exportError(item, `export Secret "${secret}": expected JSON or YAML under key "config"`);
  }
}

/** JSON by the contract; deployers of others write YAML as well. */
function parseExports(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return fromYaml(text, { integers: "exact" });
  }
}
