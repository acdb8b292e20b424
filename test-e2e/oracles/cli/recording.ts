import { spawnSync } from "node:child_process";
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
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

const file = join(import.meta.dirname, "../../../libs/cli/testdata/spiff-merge.json");

interface CommandCase {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly result?: CommandResult;
}

interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  /** Without the time at the begin of log lines. */
  readonly stderr: string;
  /** Files that are new or have another content afterwards. */
  readonly changed?: Readonly<Record<string, string>>;
}

interface CommandCases {
  /** Lie in the folder that all commands run in. */
  readonly files: Readonly<Record<string, string>>;
  readonly cases: readonly CommandCase[];
}

/** libs/cli/testdata: the command line of spiff v1.7.0-beta-7. */
export const cliRecording: Recording = {
  name: "cli",
  files: () => ["spiff-merge.json"],
  count: () => readCases().cases.length,
  ask: () => {
    const { files, cases } = readCases();
    const program = join(buildOracle("spiff").folder, "spiff");
    return cases.map(({ result, ...question }) => {
      const real = runIn(files, program, question);
      return { name: question.args.join(" "), recorded: result, real, entry: { ...question, result: real } };
    });
  },
  write: (_, cases) => {
    const entries = cases.map(({ entry }) => entry);
    writeFileSync(file, `${JSON.stringify({ files: readCases().files, cases: entries }, undefined, 1)}\n`);
  },
};

function readCases(): CommandCases {
  return JSON.parse(readFileSync(file, "utf8")) as CommandCases;
}

function runIn(files: CommandCases["files"], program: string, question: CommandCase): CommandResult {
  const cwd = mkdtempSync(join(tmpdir(), "spiff-cli-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), content);
    }
    const { status, stdout, stderr } = spawnSync(program, ["merge", ...question.args], {
      cwd,
      env: { TZ: "UTC", ...question.environment },
      input: question.stdin ?? "",
      encoding: "utf8",
      timeout: 20_000,
    });
    const changed = changedFiles(cwd, files);
    const result = { status, stdout, stderr: sortNodes(stderr.replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, "")) };
    return Object.keys(changed).length === 0 ? result : { ...result, changed };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** The original's order of nodes is random inside one class. */
function sortNodes(stderr: string): string {
  const [, head = "", nodes = "", legend = ""] =
    /^([^]*unresolved nodes:\n)((?:\t.*\n)*\t.*)( \nerror classification[^]*)$/.exec(stderr) ?? [];
  return legend === "" ? stderr : [head, nodes.split("\n").toSorted().join("\n"), legend].join("");
}

function changedFiles(cwd: string, before: CommandCases["files"]): Record<string, string> {
  const changed: Record<string, string> = {};
  for (const name of readdirSync(cwd).toSorted()) {
    if (!statSync(join(cwd, name)).isFile()) continue;
    const content = readFileSync(join(cwd, name), "utf8");
    if (before[name] !== content) changed[name] = content;
  }
  for (const name of Object.keys(before)) if (!existsSync(join(cwd, name))) changed[name] = "(removed)";
  return changed;
}
