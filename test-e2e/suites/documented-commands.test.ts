// Runs every documented command that needs nothing of the reader's in a clone: each script of package.json at its smallest size, and the lines of shell blocks
// that no other suite reads from their page. The list comes from the pages (scripts/documented-commands); `npm run lint` reports commands without a test.
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless } from "@landscaper/testkit";
import { checkCommands } from "../../scripts/documented-commands/check-commands.ts";
import { planLines, planStarts, type PlannedStart } from "../../scripts/documented-commands/plan-starts.ts";
import { readCensus } from "../../scripts/documented-commands/read-census.ts";
import { scriptStarts, type ScriptStart } from "../../scripts/documented-commands/script-starts.ts";
import { benches } from "../bench/benches.ts";
import { provideBinaries } from "../cluster/binaries.ts";
import { oracleAbsence, oracleNames } from "../oracles/build-oracle.ts";
import { createClone, type Clone } from "../src/examples/clone.ts";
import { openTerminal } from "../src/examples/terminal.ts";
import { createUserShell, type UserShell } from "../src/examples/user-shell.ts";

const root = join(import.meta.dirname, "../..");
const census = readCensus(root);
const starts = planStarts(census);
/** Most commands take a second or two. All benches together take two minutes, or many minutes on a busy machine: only a command that hangs waits so long. */
const testMs = 1_800_000;

/** Returns why this machine cannot start a script; undefined if it can. */
function absenceOf(needs: ScriptStart["needs"]): string | undefined {
  if (needs === "engines") return oracleNames.map(oracleAbsence).find((reason) => reason !== undefined);
  if (needs === undefined) return undefined;
  const binaries = provideBinaries(() => undefined);
  return "missing" in binaries ? binaries.missing : undefined;
}

/** What `npm run bench -- all --smallest` printed of each bench. */
let benchLines: readonly string[] = [];
let clone: Clone;
let shell: UserShell;
beforeAll(async () => {
  clone = createClone();
  const programs = join(clone.folder, ".cache/programs");
  mkdirSync(programs, { recursive: true });
  // `helm` is our own command here. Other suites compare it with the real helm.
  const command = join(clone.folder, "bin/landscaper");
  writeFileSync(join(programs, "landscaper"), `#!/bin/sh\nexec '${command}' "$@"\n`, { mode: 0o755 });
  writeFileSync(join(programs, "helm"), `#!/bin/sh\nexec '${command}' helm "$@"\n`, { mode: 0o755 });
  // Commands use the tools of earlier builds, and build only if this run may build. All suites have their turn, as they have for a user.
  const variables = {
    HOME: homedir(),
    E2E_TURN: "",
    E2E_BUILD: process.env["E2E_BUILD"] ?? "",
    npm_config_loglevel: "notice",
  };
  // HOME is the user's, for the caches of Go, of npm and of built tools.
  shell = createUserShell({ folder: clone.folder, programs: [programs], variables });
  const identity = "-c user.name=Test -c user.email=test@example.com";
  await succeed(`git init --quiet && git add --all && git ${identity} commit --quiet --message clone`);
}, testMs);
afterAll(() => clone?.dispose());

/** Runs a shell script, and returns its stdout and stderr. Throws if it fails. */
async function succeed(script: string): Promise<string> {
  const { status, stdout, stderr } = await shell.run(script);
  if (status !== 0) throw new Error(`exit code ${status} of\n${script}\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

const quote = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

function lineOf({ script, words }: PlannedStart): string {
  return ["npm", "run", script, ...(words.length === 0 ? [] : ["--", ...words.map(quote)])].join(" ");
}

/** Starts a script that does not end by itself, waits for its output, and closes its terminal. */
async function startAndStop(line: string, prints: RegExp): Promise<string> {
  const terminal = openTerminal(shell);
  try {
    return await terminal.startUntil(line, prints);
  } finally {
    await terminal.close();
  }
}

it("lint reports no problem with documented commands", () => {
  expect(checkCommands(census)).toEqual([]);
});

describe.each(Object.entries(scriptStarts))("npm run %s", (script, { needs, prints = /(?:)/, stays, keepsFiles }) => {
  describeUnless(absenceOf(needs), describe)("as documented, at its smallest size", () => {
    it.each(starts.filter((start) => start.script === script).map((start) => [lineOf(start), start] as const))(
      "starts: %s",
      async (line, { words, isHelp }) => {
        if (isHelp) {
          expect(await succeed(line)).toMatch(/^usage: npm run /m);
          return;
        }
        const printed = stays === true ? await startAndStop(line, prints) : await succeed(line);
        expect(printed).toMatch(prints);
        // Each suite that a page names exists.
        const suites = census.suites.filter(
          (suite) => script === "e2e" && words.includes(suite) && !suite.startsWith("samples"),
        );
        for (const suite of suites) expect(printed).toMatch(new RegExp(`/suites/${suite}(?:/|\\.test\\.ts$)`, "m"));
        if (keepsFiles === true) expect(await succeed("git status --porcelain")).toBe("");
        if (script === "bench") benchLines = printed.match(/^(?:ran|skipped): \w+: .*$/gm) ?? [];
      },
      testMs,
    );
  });
});

describe("the bench", () => {
  it.each(benches)("$name has modules that load", async ({ name }) => {
    const folder = `./test-e2e/bench/${name}`;
    const modules = [`${folder}/${name}.ts`, `${folder}/format-${name}.ts`];
    // In a process of its own: a bench must not load jest.
    const load = `for (const path of ${JSON.stringify(modules)}) await import(path)`;
    await succeed(`node scripts/bootstrap.mjs node --input-type=module --eval ${quote(load)}`);
  });

  for (const { name, smallest, absence, usesImages } of benches) {
    // The clone has no images: the suite harness/bench-images starts their benches.
    const reason = absence(smallest, { isSmallest: false });
    describeUnless(usesImages ? undefined : reason, describe)(name, () => {
      it("ran with the others, at its smallest size", () => {
        expect(benchLines).toContainEqual(expect.stringMatching(`^${usesImages ? "skipped" : "ran"}: ${name}: `));
      });
    });
  }
});

describe.each(planLines(census))("$file, $heading", ({ file, commands }) => {
  // The READMEs of charts run commands in the folder that `npm run charts` writes.
  const prelude = file.startsWith("k8s/charts/") ? ["test -d dist/charts || npm run charts", "cd dist/charts"] : [];

  it(
    `runs: ${commands.map((command) => command.text).join("; ")}`,
    async () => {
      const terminal = openTerminal(shell);
      try {
        for (const line of [...prelude, ...commands.map((command) => command.text)]) {
          if (line.includes("local-cluster")) await terminal.startUntil(line, / is up; use: kubectl /);
          else expect(await terminal.run(line)).toMatchObject({ status: 0 });
        }
      } finally {
        await terminal.close();
      }
    },
    testMs,
  );
});
