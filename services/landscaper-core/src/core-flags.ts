import { parseArgs } from "node:util";
import { LandscaperError } from "@landscaper/api";
import type { LogLevel } from "@landscaper/controller-runtime";

/** Command line of the core (core.md §3.5). */
export interface CoreFlags {
  /** LandscaperConfiguration file; the defaults when absent. */
  readonly configFile: string | undefined;
  /** Kubeconfig of the cluster that the Installations live in. */
  readonly kubeconfig: string | undefined;
  /** Port of /healthz, /readyz and /metrics; 0 = none, undefined = as the configuration says. */
  readonly metricsPort: number | undefined;
  readonly logLevel: LogLevel;
  readonly leaderElection: boolean;
}

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];

const flags = {
  config: { type: "string" },
  kubeconfig: { type: "string" },
  "landscaper-kubeconfig": { type: "string" },
  "metrics-port": { type: "string" },
  "leader-elect": { type: "boolean" },
  verbosity: { type: "string", short: "v" },
} as const;

function flagError(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidConfiguration",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const problem = typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
    throw flagError(problem === "" ? "the flags cannot be read" : problem);
  }
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
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

/** Throws LandscaperError for what it does not know. `--landscaper-kubeconfig` wins over `--kubeconfig`, the host's. */
export function parseCoreFlags(argv: readonly string[]): CoreFlags {
  const values = readFlags(argv);
  return {
    configFile: values.config,
    kubeconfig: values["landscaper-kubeconfig"] ?? values.kubeconfig,
    metricsPort: parsePort(values["metrics-port"]),
    logLevel: parseLogLevel(values.verbosity),
    leaderElection: values["leader-elect"] === true,
  };
}
