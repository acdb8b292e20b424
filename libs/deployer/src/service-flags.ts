import { parseArgs } from "node:util";
import { LandscaperError } from "@landscaper/api";
import type { LogLevel } from "@landscaper/controller-runtime";

/** Command line of a deployer's process (core.md §3.5, deployers.md §2.7). */
export interface ServiceFlags {
  /** Configuration file of the deployer; its defaults when absent. */
  readonly configFile: string | undefined;
  /** Kubeconfig of the cluster that the DeployItems live in. */
  readonly kubeconfig: string | undefined;
  /** Port of /healthz, /readyz and /metrics; 0 (default) = none. */
  readonly metricsPort: number;
  readonly logLevel: LogLevel;
}

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];

/** Throws LandscaperError for what it does not know. `--landscaper-kubeconfig` wins over `--kubeconfig`, the host's. */
export function parseServiceFlags(argv: readonly string[]): ServiceFlags {
  const values = readFlags(argv);
  return {
    configFile: values.config,
    kubeconfig: values["landscaper-kubeconfig"] ?? values.kubeconfig,
    metricsPort: parsePort(values["metrics-port"]),
    // "-v=2" is how the original's flags are written, too.
    logLevel: parseLogLevel(values.verbosity?.replace(/^=/, "")),
  };
}

const flags = {
  config: { type: "string" },
  kubeconfig: { type: "string" },
  "landscaper-kubeconfig": { type: "string" },
  "metrics-port": { type: "string" },
  verbosity: { type: "string", short: "v" },
} as const;

function readFlags(argv: readonly string[]): Partial<Record<keyof typeof flags, string>> {
  try {
    return parseArgs({ args: [...argv], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // parseArgs throws errors with a text for users.
    throw flagError(String((error as { message?: unknown }).message));
  }
}

function parsePort(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw flagError(`--metrics-port: expected a port or 0, found ${JSON.stringify(text)}`);
}

/** Words, or the numbers of the original's flag: 0 and 1 are info, more is debug. */
function parseLogLevel(text: string | undefined): LogLevel {
  if (text === undefined) return "info";
  if (/^\d+$/.test(text)) return Number(text) > 1 ? "debug" : "info";
  const level = logLevels.find((name) => name === text);
  if (level !== undefined) return level;
  throw flagError(`-v: expected a number or one of ${logLevels.join(", ")}, found ${JSON.stringify(text)}`);
}

function flagError(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidConfiguration",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
