import { readFile } from "node:fs/promises";
import {
  configurationError,
  parseConfiguredDuration,
  parseLandscaperConfiguration,
  warnOfIgnoredFields,
  type IgnoredField,
  type LandscaperConfiguration,
  type LandscaperError,
} from "@landscaper/api";
import type { LoadedConfig } from "@landscaper/controller-runtime";
import { fromYaml } from "@landscaper/goyaml";
import type { CoreOptions } from "./add-core-controllers.ts";
import { buildRegistrations } from "./deployer-management/configured/build-registration.ts";
import type { HealthCheckSettings } from "./health-check/add-health-check.ts";

function fileError(path: string, problem: string): LandscaperError {
  return configurationError(`${path}: ${problem}`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const problem = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unreadable";
    throw fileError(path, `the configuration file cannot be read (${problem})`);
  }
}

function parseText(text: string, path: string): unknown {
  try {
    return fromYaml(text) ?? {};
  } catch (error) {
    throw fileError(path, `expected YAML: ${error instanceof Error ? error.message : "unreadable"}`);
  }
}

/**
 * Reads a LandscaperConfiguration, in either spelling of its fields; the defaults when there is no file. `deployers` are registered beside
 * those of the file.
 */
export async function loadConfiguration(
  path: string | undefined,
  deployers: readonly string[] = [],
): Promise<LoadedConfig<LandscaperConfiguration>> {
  const value = path === undefined ? {} : parseText(await readText(path), path);
  const read = parseLandscaperConfiguration(value, path ?? "defaults");
  const configuration = withDeployers(read, deployers);
  const ignored = [...parseLandscaperConfiguration.findIgnored(value), ...findWithoutEffect(configuration)];
  return { configuration, warnings: warnOfIgnoredFields(path ?? "command line", ignored) };
}

function withDeployers(configuration: LandscaperConfiguration, names: readonly string[]): LandscaperConfiguration {
  const { deployerManagement } = configuration;
  const named = Object.fromEntries(names.map((name) => [name, {}]));
  const deployers = { ...named, ...deployerManagement.deployers };
  return { ...configuration, deployerManagement: { ...deployerManagement, deployers } };
}

/** Fields that have no effect because of other fields. */
function findWithoutEffect(configuration: LandscaperConfiguration): readonly IgnoredField[] {
  const found: IgnoredField[] = [];
  if (configuration.lsDeployments !== undefined && toHealthCheck(configuration) === undefined) {
    found.push({ path: "lsDeployments", why: "it needs deploymentsNamespace and lsHealthCheckName" });
  }
  const { disable, deployers, deployerRepositoryContext } = configuration.deployerManagement;
  const count = Object.keys(deployers).length;
  if (disable && count > 0) found.push({ path: "deployerManagement.deployers", why: "deployerManagement is disabled" });
  if (deployerRepositoryContext !== undefined && count === 0) {
    const why = "deployerManagement.deployers names no deployer";
    found.push({ path: "deployerManagement.deployerRepositoryContext", why });
  }
  return found;
}

type Settings = Pick<
  CoreOptions,
  | "timeouts"
  | "defaultContext"
  | "workers"
  | "parts"
  | "fieldValidation"
  | "emptyProtection"
  | "deletionProtection"
  | "signaturePolicy"
  | "signatureSecretNamespaces"
  | "deployerManagement"
>;

/** What the controllers take from configuration and environment; LANDSCAPER_MODE splits the core over two processes (core.md §3.5). */
export function toCoreSettings(configuration: LandscaperConfiguration, mode: string | undefined): Settings {
  const { controllers, deployItemTimeouts } = configuration;
  const { disable, excludedNamespaces, repositoryContext } = controllers.contexts.config.default;
  return {
    timeouts: {
      pickupMs: parseConfiguredDuration(deployItemTimeouts.pickup, "deployItemTimeouts.pickup"),
      progressingMs: parseConfiguredDuration(deployItemTimeouts.progressing, "deployItemTimeouts.progressing"),
      graceMs: parseConfiguredDuration(deployItemTimeouts.grace, "deployItemTimeouts.grace"),
    },
    defaultContext: { isEnabled: !disable, excludedNamespaces, repositoryContext },
    workers: {
      installations: controllers.installations.workers,
      executions: controllers.executions.workers,
      deployItems: controllers.deployItems.workers,
      contexts: controllers.contexts.workers,
    },
    parts: toParts(mode),
    fieldValidation: configuration.fieldValidation,
    emptyProtection: configuration.emptyProtection,
    deletionProtection: configuration.deletionProtection,
    signaturePolicy: configuration.signatureVerificationEnforcementPolicy,
    signatureSecretNamespaces: configuration.signatureVerification?.secretNamespaces,
    deployerManagement: toDeployerManagement(configuration),
  };
}

/** Where deployers are managed, and which of them the core registers; undefined when they are not. Throws LandscaperError. */
function toDeployerManagement({ deployerManagement }: LandscaperConfiguration): Settings["deployerManagement"] {
  const { disable, namespace, leaseNamespace, deployers, deployerRepositoryContext } = deployerManagement;
  if (disable) return undefined;
  const registrations = buildRegistrations({ deployers, repositoryContext: deployerRepositoryContext });
  return { namespace, leaseNamespace, registrations };
}

/** The Deployments to look at, and where to tell; undefined when none are configured. */
export function toHealthCheck({ lsDeployments }: LandscaperConfiguration): HealthCheckSettings | undefined {
  const { deploymentsNamespace: namespace, lsHealthCheckName: name } = lsDeployments ?? {};
  if (lsDeployments === undefined || namespace === undefined || name === undefined) return undefined;
  const { lsController, lsMainController, webHook, additionalDeployments } = lsDeployments;
  const named = [lsController, lsMainController, webHook, ...(additionalDeployments?.deployments ?? [])];
  return { namespace, name, deployments: named.filter((each) => each !== undefined).filter((each) => each !== "") };
}

function toParts(mode: string | undefined): readonly ("main" | "central")[] {
  if (mode === undefined || mode === "") return ["main", "central"];
  return mode === "central-landscaper" ? ["central"] : ["main"];
}
