import { parseArgs } from "node:util";
import { LandscaperError, parseDuration } from "@landscaper/api";
import type { CleanupOptions } from "./run-cleanup.ts";

export const cleanupUsage = `usage: container-deployer cleanup --deployer-id ID --namespace NAMESPACE [FLAGS]
Removes everything that the container deployer ID has created in NAMESPACE: Pods, Secrets, ConfigMaps, ServiceAccounts, Roles and RoleBindings.

  --deployment NAMESPACE/NAME   Deployment of the deployer: it is scaled to 0 first
  --keep-state                  keeps the states of programs, for a deployer with the same ID
  --timeout DURATION            such as 480s; default: 480s
  --kubeconfig FILE             of the host cluster; default: the account of the pod
`;

export interface CleanupFlags extends CleanupOptions {
  readonly kubeconfig: string | undefined;
  readonly help: boolean;
}

const options = {
  "deployer-id": { type: "string" },
  namespace: { type: "string" },
  deployment: { type: "string" },
  "keep-state": { type: "boolean" },
  timeout: { type: "string" },
  kubeconfig: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const defaultTimeout = "480s";

/**
 * The words after the command `cleanup`; undefined if the command line is that of the deployer. Flags with a value that precede the command are those of
 * the image's entry point, and have no meaning for the cleanup.
 */
export function findCleanup(argv: readonly string[]): readonly string[] | undefined {
  const index = argv.findIndex((word) => !/^--[\w-]+=/.test(word));
  return argv[index] === "cleanup" ? argv.slice(index + 1) : undefined;
}

/** Throws LandscaperError that names the flag. */
export function parseCleanupFlags(words: readonly string[]): CleanupFlags {
  const values = readWords(words);
  const { help = false } = values;
  return {
    deployerId: help ? "" : require(values["deployer-id"], "--deployer-id"),
    namespace: help ? "" : require(values.namespace, "--namespace"),
    deployment: parseDeployment(values.deployment),
    keepsState: values["keep-state"] ?? false,
    timeoutMs: parseTimeout(values.timeout ?? defaultTimeout),
    kubeconfig: values.kubeconfig,
    help,
  };
}

function readWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // parseArgs throws errors with a text for users.
    throw flagError(error instanceof Error ? error.message : String(error));
  }
}

function require(value: string | undefined, flag: string): string {
  if (value === undefined || value === "") throw flagError(`${flag} is required`);
  return value;
}

function parseDeployment(value: string | undefined): CleanupOptions["deployment"] {
  if (value === undefined) return undefined;
  const [namespace = "", name = "", ...rest] = value.split("/");
  if (namespace === "" || name === "" || rest.length > 0) {
    throw flagError(`--deployment: expected NAMESPACE/NAME, found "${value}"`);
  }
  return { namespace, name };
}

function parseTimeout(value: string): number {
  try {
    return parseDuration(value);
  } catch {
    throw flagError(`--timeout: expected a duration such as ${defaultTimeout}, found "${value}"`);
  }
}

function flagError(message: string): LandscaperError {
  return new LandscaperError({
    message: `container-deployer cleanup: ${message}`,
    reason: "InvalidConfiguration",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "container-deployer cleanup --help lists the flags",
    retry: "never",
  });
}
