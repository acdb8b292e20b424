import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { listPages } from "./documented-commands/read-census.ts";

const root = join(import.meta.dirname, "..");

interface Command {
  readonly file: string;
  readonly text: string;
}

/** Texts of all pages that match. */
function findCommands(pattern: RegExp): readonly Command[] {
  return listPages(root).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(pattern)].map(([text]) => ({ file, text })),
  );
}

it("pages start TypeScript on Node 20 by a script of package.json, which brings its own Node", () => {
  expect(findCommands(/\bnode (?:-\S+ )*\S+\.ts\b/g)).toEqual([]);
});
