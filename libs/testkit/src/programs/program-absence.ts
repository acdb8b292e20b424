import { findProgram } from "./find-program.ts";

/** Variables that make a missing program a failure where they say "required", as CI has them. */
const demands: Readonly<Record<string, string>> = { "docker-registry": "E2E_REGISTRY" };

export interface AbsenceOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly find?: (name: string) => string | undefined;
}

/**
 * Why tests that start this program cannot run: "the program gpg is missing"; undefined when it is there. Throws where the environment demands it.
 * For `describeUnless`.
 */
export function programAbsence(name: string, options: AbsenceOptions = {}): string | undefined {
  const { env = process.env, find = findProgram } = options;
  if (find(name) !== undefined) return undefined;
  const demand = demands[name];
  if (demand !== undefined && env[demand] === "required") {
    throw new Error(`${demand}=required, but the program ${name} is missing`);
  }
  return `the program ${name} is missing`;
}
