// `landscaper render` in a folder of its own, for tests.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram, type Outcome } from "./program.ts";

export interface RenderFolder {
  write(name: string, text: string): void;
  /** Words that begin with "@" are files of the folder, as the outcome names them. */
  render(words: string): Promise<Outcome>;
  remove(): void;
}

export function createRenderFolder(): RenderFolder {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-render-"));
  return {
    write: (name, text) => {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    render: async (words) => {
      const path = (word: string): string => (word.startsWith("@") ? join(folder, word.slice(1)) : word);
      const outcome = await runProgram(["render", ...words.split(" ").map(path)]);
      return { ...outcome, stderr: outcome.stderr.replaceAll(folder, "@") };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Imports a text and a target. */
export const blueprint = `
imports:
  - { name: greeting, type: data, schema: { type: string } }
  - { name: cluster, type: target, targetType: example.org/cluster }
deployExecutions:
  - name: default
    type: GoTemplate
    template: |
      deployItems:
        - name: item
          type: example.org/thing
          target: { import: cluster }
          config: { apiVersion: v1, kind: Thing, text: "{{ .imports.greeting }} at {{ now | date "2006" }}" }
`;
