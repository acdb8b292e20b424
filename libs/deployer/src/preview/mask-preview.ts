import { mapTexts } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { isJsonObject } from "@landscaper/resources";
import type { Preview } from "../deployer-interface.ts";

/** Members of a change that hold what objects hold; the others name things. */
const valueMembers: ReadonlySet<string> = new Set(["from", "to", "problem"]);

type Mask = (texts: readonly string[]) => Promise<readonly string[]>;

/** A plan with the values masked that it shows, whatever object of the target they would come into. `mask` gets all texts at once, each once. Others get turns. */
export async function maskPreview(preview: Preview, mask: Mask): Promise<Preview> {
  const breathe = createBreather();
  const { text, heldBack, details } = preview;
  const found = new Set(heldBack === undefined ? [text] : [text, heldBack]);
  for (const change of [...preview.changes, details]) {
    await maskMembers(change, { breathe, change: (member) => (found.add(member), member) });
  }
  const texts = [...found];
  const masked = await mask(texts);
  const byText = new Map(texts.map((original, index) => [original, masked[index] ?? ""]));
  const change = (original: string): string => byText.get(original) ?? "";
  const changes: unknown[] = [];
  for (const member of preview.changes) changes.push(await maskMembers(member, { breathe, change }));
  return {
    ...preview,
    text: change(text),
    changes,
    ...(heldBack === undefined ? {} : { heldBack: change(heldBack) }),
    // An object stays one.
    ...(details === undefined ? {} : { details: Object(await maskMembers(details, { breathe, change })) }),
  };
}

interface Walk {
  readonly breathe: () => Promise<void>;
  readonly change: (text: string) => string;
}

async function maskMembers(value: unknown, walk: Walk): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      await walk.breathe();
      items.push(await maskMembers(item, walk));
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  const members: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const masked = valueMembers.has(key) ? mapTexts(member, walk.change) : await maskMembers(member, walk);
    members.push([key, masked]);
  }
  return Object.fromEntries(members);
}
