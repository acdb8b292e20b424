import { cleanupFlagError, commonCleanupUsage, parseCleanup } from "@landscaper/deployer";
import type { CleanupOptions } from "./run-cleanup.ts";

export const cleanupUsage = `usage: container-deployer cleanup --deployer-id ID --namespace NAMESPACE [FLAGS]
Removes everything that the container deployer ID has created in NAMESPACE: Pods, Secrets, ConfigMaps, ServiceAccounts, Roles and RoleBindings.

${commonCleanupUsage}  --keep-state                  keeps the states of programs, for a deployer with the same ID
`;

export interface CleanupFlags extends CleanupOptions {
  readonly kubeconfig: string | undefined;
  readonly help: boolean;
}

const program = "container-deployer";
const options = {
  "deployer-id": { type: "string" },
  namespace: { type: "string" },
  "keep-state": { type: "boolean" },
} as const;

/** Throws LandscaperError that names the flag. */
export function parseCleanupFlags(words: readonly string[]): CleanupFlags {
  const { common, own } = parseCleanup(words, { program, options });
  const { help } = common;
  return {
    ...common,
    deployerId: help ? "" : require(own["deployer-id"], "--deployer-id"),
    namespace: help ? "" : require(own.namespace, "--namespace"),
    keepsState: own["keep-state"] === true,
  };
}

function require(value: string | boolean | undefined, flag: string): string {
  if (typeof value !== "string" || value === "") throw cleanupFlagError(program, `${flag} is required`);
  return value;
}
