import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { configurationError, parseDuration, type LandscaperError } from "@landscaper/api";
import type { DeploymentPlace } from "./stop-deployment.ts";

/** Flags of each cleanup. */
export interface CommonCleanupFlags {
  /** Deployment that is stopped first. Undefined if no process of the service runs. */
  readonly deployment: DeploymentPlace | undefined;
  readonly timeoutMs: number;
  readonly kubeconfig: string | undefined;
  readonly help: boolean;
}

const commonOptions = {
  deployment: { type: "string" },
  timeout: { type: "string" },
  kubeconfig: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const satisfies ParseArgsOptionsConfig;

const defaultTimeout = "480s";

/** Usage of the flags that `parseCleanup` reads itself. */
export const commonCleanupUsage = `  --deployment NAMESPACE/NAME   Deployment of the service: it is scaled to 0 first
  --timeout DURATION            such as ${defaultTimeout}; default: ${defaultTimeout}
  --kubeconfig FILE             of the cluster in which the service runs; default: the account of the pod
`;

/**
 * The words after the command `cleanup`; undefined if the command line is that of the service. Flags with a value that precede the command are those of
 * the image's entry point, and have no meaning for the cleanup.
 */
export function findCleanup(argv: readonly string[]): readonly string[] | undefined {
  const index = argv.findIndex((word) => !/^--[\w-]+=/.test(word));
  return argv[index] === "cleanup" ? argv.slice(index + 1) : undefined;
}

export interface CleanupCommand<T extends ParseArgsOptionsConfig> {
  /** Such as "container-deployer". */
  readonly program: string;
  /** Flags of this cleanup alone. */
  readonly options: T;
}

/** Throws LandscaperError that names the flag. */
export function parseCleanup<T extends ParseArgsOptionsConfig>(
  words: readonly string[],
  { program, options }: CleanupCommand<T>,
): { readonly common: CommonCleanupFlags; readonly own: Readonly<Record<keyof T, string | boolean | undefined>> } {
  const values = readWords(words, { program, options });
  const { deployment, timeout, kubeconfig, help } = values;
  return {
    common: {
      deployment: parseDeployment(textOf(deployment), program),
      timeoutMs: parseTimeout(textOf(timeout) ?? defaultTimeout, program),
      kubeconfig: textOf(kubeconfig),
      help: help === true,
    },
    own: values as Readonly<Record<keyof T, string | boolean | undefined>>, // parseArgs has read these options.
  };
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readWords(
  words: readonly string[],
  { program, options }: CleanupCommand<ParseArgsOptionsConfig>,
): Readonly<Record<string, string | boolean | undefined>> {
  try {
    const { values } = parseArgs({ args: [...words], options: { ...commonOptions, ...options }, strict: true });
    return values;
  } catch (error) {
    // parseArgs throws errors with a text for users.
    throw cleanupFlagError(program, error instanceof Error ? error.message : String(error));
  }
}

function parseDeployment(value: string | undefined, program: string): DeploymentPlace | undefined {
  if (value === undefined) return undefined;
  const [namespace = "", name = "", ...rest] = value.split("/");
  if (namespace === "" || name === "" || rest.length > 0) {
    throw cleanupFlagError(program, `--deployment: expected NAMESPACE/NAME, found "${value}"`);
  }
  return { namespace, name };
}

function parseTimeout(value: string, program: string): number {
  try {
    return parseDuration(value);
  } catch {
    throw cleanupFlagError(program, `--timeout: expected a duration such as ${defaultTimeout}, found "${value}"`);
  }
}

/** Error of a flag of the command `cleanup`. */
export function cleanupFlagError(program: string, message: string): LandscaperError {
  return configurationError(`${program} cleanup: ${message}`, { hint: `${program} cleanup --help lists the flags` });
}
