import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Recording } from "./recording.ts";

/** What an engine makes of a template. */
export interface TemplateResult {
  readonly out?: string;
  readonly error?: string;
}

type GoldenCase = TemplateResult & { readonly template: string };

/** The golden files of a library whose cases are templates, and the engine that they were recorded from. */
export interface TemplateFiles {
  readonly name: string;
  readonly folder: string;
  readonly files: Recording["files"];
  readonly read: (file: string) => readonly GoldenCase[];
  readonly ask: (questions: readonly object[]) => readonly TemplateResult[];
}

export function templateRecording({ name, folder, files, read, ask }: TemplateFiles): Recording {
  return {
    name,
    files,
    count: (file) => read(file).length,
    ask: (file) => {
      const cases = read(file);
      const questions = cases.map(({ out: _out, error: _error, ...question }) => question);
      const answers = ask(questions);
      return cases.map(({ template, out, error }, index) => ({
        name: template,
        recorded: out === undefined ? { error } : { out },
        real: answers[index],
        entry: { ...questions[index], ...answers[index] },
      }));
    },
    write: (file, cases) => {
      const entries = cases.map(({ entry }) => entry);
      writeFileSync(join(folder, file), `${JSON.stringify(entries, undefined, 1)}\n`);
    },
  };
}
