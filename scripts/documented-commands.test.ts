import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";

const root = join(import.meta.dirname, "..");

interface Command {
  readonly file: string;
  readonly text: string;
}

/** What the pages of the repository tell people to type: lines of code and code in sentences. */
function findCommands(pattern: RegExp): readonly Command[] {
  const { stdout } = spawnSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(pattern)].map(([text]) => ({ file, text })));
}

describe("commands of the docs", () => {
  it("run on Node 20: TypeScript is started by a script of package.json, which brings its own Node", () => {
    expect(findCommands(/\bnode (?:-\S+ )*\S+\.ts\b/g)).toEqual([]);
  });

  it("name scripts that there are", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    const commands = findCommands(/\bnpm run (?:--?\S+ )*[a-z][\w:-]*/g);
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter(({ text }) => !Object.hasOwn(scripts, text.replace(/^.* /, "")))).toEqual([]);
  });
});
