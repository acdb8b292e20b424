// A clone of the project in which documented commands run, with the tools of earlier builds.
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "@jest/globals";
import type { CommandCensus } from "../../../scripts/documented-commands/check-commands.ts";
import type { PlannedStart } from "../../../scripts/documented-commands/plan-starts.ts";
import { scriptStarts, type ScriptStart } from "../../../scripts/documented-commands/script-starts.ts";
import { provideBinaries } from "../../cluster/binaries.ts";
import { oracleAbsence, oracleNames } from "../../oracles/build-oracle.ts";
import { createClone, type Clone } from "../examples/clone.ts";
import { openTerminal } from "../examples/terminal.ts";
import { createUserShell, type UserShell } from "../examples/user-shell.ts";

/** Most commands take a second or two, all benches together two minutes, or many minutes on a busy machine. Only a command that hangs waits so long. */
export const commandTimeoutMs = 1_800_000;

export interface DocumentedClone {
  /** Valid while tests run. */
  readonly shell: UserShell;
  /** Runs a shell script, and returns its stdout and stderr. Throws if it fails. */
  readonly succeed: (script: string) => Promise<string>;
  /** Starts a script of package.json, checks its output, and returns the output. */
  readonly start: (planned: PlannedStart) => Promise<string>;
}

/** Returns why this machine cannot start a script; undefined if it can. */
export function absenceOf(needs: ScriptStart["needs"]): string | undefined {
  if (needs === "engines") return oracleNames.map(oracleAbsence).find((reason) => reason !== undefined);
  if (needs === undefined) return undefined;
  const binaries = provideBinaries(() => undefined);
  return "missing" in binaries ? binaries.missing : undefined;
}

export const quote = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Returns the shell line of a planned start. */
export function lineOf({ script, words }: PlannedStart): string {
  return ["npm", "run", script, ...(words.length === 0 ? [] : ["--", ...words.map(quote)])].join(" ");
}

/** Registers hooks of jest that create and remove the clone. */
export function useDocumentedClone(census: Pick<CommandCensus, "suites">): DocumentedClone {
  let clone: Clone | undefined;
  let shell: UserShell | undefined;
  const openShell = (): UserShell => {
    if (shell === undefined) throw new Error("the clone is not created yet");
    return shell;
  };
  const succeed = async (script: string): Promise<string> => {
    const { status, stdout, stderr } = await openShell().run(script);
    if (status !== 0) throw new Error(`exit code ${status} of\n${script}\n${stdout}${stderr}`);
    return `${stdout}${stderr}`;
  };
  beforeAll(() => {
    clone = createClone();
    shell = createShell(clone);
  });
  afterAll(() => clone?.dispose());
  return {
    get shell() {
      return openShell();
    },
    succeed,
    start: async (planned) => {
      const line = lineOf(planned);
      const { prints = /(?:)/, stays, keepsFiles } = scriptStarts[planned.script] ?? {};
      if (planned.isHelp || planned.words.includes("--help")) {
        const usage = await succeed(line);
        expect(usage).toMatch(/^usage: npm run /m);
        return usage;
      }
      const printed = stays === true ? await startAndStop(openShell(), line, prints) : await succeed(line);
      expect(printed).toMatch(prints);
      // Each suite that a page names exists.
      const suites = census.suites.filter(
        (suite) => planned.script === "e2e" && planned.words.includes(suite) && !suite.startsWith("samples"),
      );
      for (const suite of suites) expect(printed).toMatch(new RegExp(`/suites/${suite}(?:/|\\.test\\.ts$)`, "m"));
      if (keepsFiles === true) expect(await succeed("git status --porcelain")).toBe("");
      return printed;
    },
  };
}

/** HOME is the user's, for the caches of Go, of npm and of built tools. */
function createShell(clone: Clone): UserShell {
  const programs = join(clone.folder, ".cache/programs");
  mkdirSync(programs, { recursive: true });
  // `helm` is our own command here. Other suites compare it with the real helm.
  const command = join(clone.folder, "bin/landscaper");
  writeFileSync(join(programs, "landscaper"), `#!/bin/sh\nexec '${command}' "$@"\n`, { mode: 0o755 });
  writeFileSync(join(programs, "helm"), `#!/bin/sh\nexec '${command}' helm "$@"\n`, { mode: 0o755 });
  // Commands build tools only if this run may build. All suites have their turn, as they have for a user.
  const variables = {
    HOME: homedir(),
    E2E_TURN: "",
    E2E_BUILD: process.env["E2E_BUILD"] ?? "",
    npm_config_loglevel: "notice",
  };
  return createUserShell({ folder: clone.folder, programs: [programs], variables });
}

/** Starts a script that does not end by itself, waits for its output, and closes its terminal. */
async function startAndStop(shell: UserShell, line: string, prints: RegExp): Promise<string> {
  const terminal = openTerminal(shell);
  try {
    return await terminal.startUntil(line, prints);
  } finally {
    await terminal.close();
  }
}
