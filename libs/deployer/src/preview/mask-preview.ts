import { mapTexts, mapTextsAtOnce } from "@landscaper/api";
import { isJsonObject } from "@landscaper/resources";
import type { Preview } from "../deployer-interface.ts";

/** Members of a change that hold what objects hold; the others name things. */
const valueMembers: ReadonlySet<string> = new Set(["from", "to", "problem"]);

/** A plan with the values masked that it shows, whatever object of the target they would come into. `mask` gets all texts at once. */
export function maskPreview(preview: Preview, mask: (texts: readonly string[]) => readonly string[]): Preview {
  return mapTextsAtOnce(preview, mask, (whole, change) => ({
    ...whole,
    text: change(whole.text),
    changes: whole.changes.map((member) => maskMembers(member, change)),
  }));
}

function maskMembers(value: unknown, mask: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => maskMembers(item, mask));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      valueMembers.has(key) ? mapTexts(member, mask) : maskMembers(member, mask),
    ]),
  );
}
