import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "@landscaper/api";
import { parse } from "yaml";
import { parseManifests } from "./manifests.ts";

const folder = join(import.meta.dirname, "../../../docs/guide");

/** The examples of one page of the user guide: YAML blocks below a comment `<!-- example: NAME -->`. */
export interface GuideExamples {
  readonly names: readonly string[];
  /** The objects of an example; `${name}` stands for a value, one of several lines takes over the indentation of its place. */
  load(name: string, values?: Readonly<Record<string, string>>): KubeObject[];
  /** An example that is no object, such as a provider configuration. */
  loadPart(name: string, values?: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>;
  /** What the page shows below a comment `<!-- output: NAME -->`. */
  output(name: string): string;
  /** All shell blocks in the order of the page, each with the heading that it is below. */
  readonly blocks: readonly { readonly heading: string; readonly script: string }[];
  /**
   * The lines of each shell block of a section, by the section's heading. `counts`: the number of lines that the caller runs of each block. Throws an Error if
   * the page has other ones, because these would not run.
   */
  commands(heading: string, counts?: readonly number[]): string[][];
}

export function readGuideExamples(page: string): GuideExamples {
  const text = readFileSync(join(folder, page), "utf8");
  const blocks = text.matchAll(/<!-- example: ([\w-]+) -->\n```yaml\n([\s\S]*?)```/g);
  const examples = new Map([...blocks].map(([, name = "", block = ""]) => [name, block]));
  const fill = (name: string, values: Readonly<Record<string, string>>): string => {
    const example = examples.get(name);
    if (example === undefined) throw new Error(`docs/guide/${page} has no example "${name}"`);
    return fillIndented(example, values);
  };
  return {
    names: [...examples.keys()],
    blocks: findBlocks(text),
    load: (name, values = {}) => parseManifests(fill(name, values)),
    output: (name) => {
      const [, shown] = new RegExp(`<!-- output: ${name} -->\\n\`\`\`\\n([^]*?)\`\`\``).exec(text) ?? [];
      if (shown === undefined) throw new Error(`docs/guide/${page} has no output "${name}"`);
      return shown;
    },
    commands: (heading, counts) => {
      const [, section] = new RegExp(`^## ${heading}\\n([^]*?)(?=^## |(?![^]))`, "m").exec(text) ?? [];
      if (section === undefined) throw new Error(`docs/guide/${page} has no section "${heading}"`);
      const found = [...section.matchAll(/^```sh\n([^]*?)```/gm)].map(([, block = ""]) => block.trimEnd().split("\n"));
      const lines = found.map((block) => block.length);
      if (counts !== undefined && counts.join() !== lines.join()) {
        const at = `docs/guide/${page}, section "${heading}"`;
        throw new Error(
          `${at}: expected shell blocks with these numbers of lines: ${counts.join(", ")}, found ${lines.join(", ")}`,
        );
      }
      return found;
    },
    loadPart: (name, values = {}) => parse(fill(name, values)) as Readonly<Record<string, unknown>>,
  };
}

/** Shell blocks below their headings; lines of other blocks that begin like headings are none. Pure. */
function findBlocks(text: string): GuideExamples["blocks"] {
  const blocks: { heading: string; script: string }[] = [];
  let heading = "";
  for (const [, found, language, block = ""] of text.matchAll(/^#+ (.+)$|^```(\w*)\n([^]*?)^```$/gm)) {
    if (found !== undefined) heading = found;
    else if (language === "sh") blocks.push({ heading, script: block.trimEnd() });
  }
  return blocks;
}

function fillIndented(text: string, values: Readonly<Record<string, string>>): string {
  const fill = (line: string): string => {
    const [spaces = ""] = /^ */.exec(line) ?? [];
    return line.replaceAll(/\$\{(\w+)\}/g, (place, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`the example needs a value for ${place}`);
      return value.trimEnd().replaceAll("\n", `\n${spaces}`);
    });
  };
  return text.split("\n").map(fill).join("\n");
}
