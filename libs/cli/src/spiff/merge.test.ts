import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runProgram } from "../../test/program.ts";

interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly changed?: Readonly<Record<string, string>>;
}

interface CommandCase {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What spiff v1.7.0-beta-7 does; recorded by test-e2e/oracles/record.ts. */
  readonly result: CommandResult;
}

interface Difference {
  /** Parts of the result that differ from the original's. */
  readonly ours: Partial<CommandResult>;
  readonly reason: string;
}

const testdata = join(import.meta.dirname, "../../testdata");
const { files, cases } = JSON.parse(readFileSync(join(testdata, "spiff-merge.json"), "utf8")) as {
  files: Readonly<Record<string, string>>;
  cases: readonly CommandCase[];
};
const differences = JSON.parse(readFileSync(join(testdata, "spiff-merge.differences.json"), "utf8")) as Readonly<
  Record<string, Difference>
>;
const nameOf = ({ args, environment, stdin }: CommandCase): string =>
  [
    ...Object.entries(environment ?? {}).map((entry) => entry.join("=")),
    ...args,
    ...(stdin === undefined ? [] : ["< stdin"]),
  ].join(" ");

const home = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-spiff-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

async function run({ args, stdin, environment = {} }: Omit<CommandCase, "result">): Promise<CommandResult> {
  const readStdin = () => Promise.resolve(stdin ?? "");
  const words = ["spiff", "merge", ...args];
  const { stdout, stderr, exitCode } = await runProgram(words, { readStdin, environment, now: () => 0 });
  const changed = changedFiles();
  const status = exitCode === 0 ? 0 : 1;
  return { status, stdout, stderr, ...(Object.keys(changed).length === 0 ? {} : { changed }) };
}

function changedFiles(): Record<string, string> {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  const contents = names.toSorted().map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  const removed = Object.keys(files).filter((name) => !existsSync(join(folder, name)));
  const changed = contents.filter(([name, content]) => files[name] !== content);
  return Object.fromEntries([...changed, ...removed.map((name) => [name, "(removed)"] as const)]);
}

/**
 * What counts in a result: of the error text what the original prints, without time, help and warnings, its nodes in order of their
 * paths, as the original's order is random inside one class.
 */
function comparable({ stdout, stderr, ...rest }: CommandResult): unknown {
  const [text = ""] = stderr
    .replaceAll(/^warning: .*\n/gm, "")
    .replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, "")
    .split(/^Usage: ?\n?/m);
  const [, head, nodes, legend] =
    /^([^]*?unresolved nodes:\n)([^]*?)( \nerror classification:\n(?: .*\n){3})/.exec(text) ?? [];
  // On mistakes in YAML, each has the words of its own reader.
  const told = text.replace(/^(error parsing [^\]]*\]: )(?!multi document)(?:.*)/, "$1...");
  const sorted = nodes
    ?.split(/\n(?=\t\S)/)
    .toSorted()
    .join("\n");
  return {
    ...rest,
    stdout: stdout.includes("Usage:") ? "help" : stdout,
    stderr: sorted === undefined ? told : [head, sorted, legend].join(""),
  };
}

describe("landscaper spiff merge", () => {
  it.each(cases.map((item) => [nameOf(item), item] as const))("does as the original: %s", async (name, item) => {
    const expected = { ...item.result, ...differences[name]?.ours };
    expect(comparable(await run(item))).toEqual(comparable(expected));
  });

  it("differs only where a case and a reason are written down", () => {
    const known = new Map(cases.map((item) => [nameOf(item), item.result]));
    const unfounded = Object.entries(differences).filter(([name, { ours, reason }]) => {
      const original = known.get(name);
      const isSame = original !== undefined && JSON.stringify({ ...original, ...ours }) === JSON.stringify(original);
      return original === undefined || isSame || reason === "";
    });
    expect(unfounded.map(([name]) => name)).toEqual([]);
  });
});
