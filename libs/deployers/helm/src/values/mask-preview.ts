import { redactLeaves } from "@landscaper/api";
import type { Preview } from "@landscaper/deployer";
import { isJsonObject } from "@landscaper/resources";

/** Members of a change that hold what objects hold; the others name things. */
const valueMembers: ReadonlySet<string> = new Set(["from", "to", "problem"]);

/** A plan without the given values, whatever object of the target they would come into. */
export function maskPreview(preview: Preview, hidden: readonly unknown[]): Preview {
  if (hidden.length === 0) return preview;
  return {
    ...preview,
    text: redactLeaves(preview.text, hidden),
    changes: preview.changes.map((change) => maskMembers(change, hidden)),
  };
}

function maskMembers(value: unknown, hidden: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((item) => maskMembers(item, hidden));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      valueMembers.has(key) ? maskTexts(member, hidden) : maskMembers(member, hidden),
    ]),
  );
}

function maskTexts(value: unknown, hidden: readonly unknown[]): unknown {
  if (typeof value === "string") return redactLeaves(value, hidden);
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, hidden));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskTexts(member, hidden)]));
}
