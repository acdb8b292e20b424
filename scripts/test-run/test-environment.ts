import type { TestOptions } from "./test-options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface TestEnvironmentOptions {
  readonly options: TestOptions;
  /** Number of commits up to HEAD. */
  readonly commits: string;
  /** File for the lines of a profile. */
  readonly profile: string;
}

/** Returns true if the run must build missing tools: in CI, if the environment requires them, or with --all-tools. */
function buildsTools(env: Environment, { allTools }: TestOptions): boolean {
  const isSet = (name: string): boolean => !["", "false", undefined].includes(env[name]);
  return allTools || isSet("CI") || env["E2E_REAL"] === "required" || env["E2E_NODE"] === "required";
}

/**
 * Returns the variables of a run of `npm test` (test-e2e/README.md explains them). Variables in `env` win. The real control plane and the real engines
 * take minutes to build: a run builds them only on demand, and otherwise uses those of an earlier run. Pure.
 */
export function testEnvironment(
  env: Environment,
  { options, commits, profile }: TestEnvironmentOptions,
): Record<string, string> {
  const wanted: Record<string, string> = {
    E2E_TURN: commits,
    ...(buildsTools(env, options) ? {} : { E2E_BUILD: "never" }),
    ...(options.changed || options.patterns.length > 0 ? { E2E_SELECTED: "1" } : {}),
    ...(options.profile ? { TEST_PROFILE: profile } : {}),
  };
  return Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, env[name] ?? value]));
}
