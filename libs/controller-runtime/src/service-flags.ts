import { parseArgs } from "node:util";
import {
  configurationError,
  findNearestName,
  maxLeaseDurationSeconds,
  parseDuration,
  type LandscaperError,
} from "@landscaper/api";
import type { LogLevel } from "./observability/create-logger.ts";

/** Command line of a service (core.md §3.5, deployers.md §2.7). */
export interface ServiceFlags {
  /** Configuration file of the service; its defaults when absent. */
  readonly configFile: string | undefined;
  /** Kubeconfig of the cluster that holds the resources of Landscaper. */
  readonly kubeconfig: string | undefined;
  /** The cluster that the service itself runs in, when that is another one; its kubeconfig may still be found by itself. */
  readonly host: { readonly kubeconfig: string | undefined } | undefined;
  /** Port of /healthz, /readyz and /metrics; 0 = none, undefined = as the configuration says. */
  readonly metricsPort: number | undefined;
  readonly logLevel: LogLevel;
  /** Only for services whose replicas elect a leader (and not for those that share their work). */
  readonly leaderElection: boolean;
  /** Of the Lease, in ms; undefined = the default. */
  readonly leaseDurationMs: number | undefined;
  /** Where the Leases of deployers are; only for services that share their work. */
  readonly leaseNamespace: string | undefined;
  /** Names of deployers to register; only for the core. */
  readonly deployers: readonly string[];
  /** The user asks for `serviceUsage`. */
  readonly help: boolean;
  /** The user asks for the version. */
  readonly version: boolean;
}

export interface ServiceFlagOptions {
  /** Whether the service knows --leader-elect. */
  readonly electsLeader: boolean;
  /** Whether the service knows --deployers. */
  readonly registersDeployers?: boolean;
}

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];

/** Throws LandscaperError for what it does not know. `--landscaper-kubeconfig` wins over `--kubeconfig`, the host's. */
export function parseServiceFlags(argv: readonly string[], options: ServiceFlagOptions): ServiceFlags {
  const { electsLeader, registersDeployers = false } = options;
  const foreign = [...(electsLeader ? sharingFlags : electionFlags), ...(registersDeployers ? [] : deployerFlags)];
  const known = Object.keys(flags).filter((flag) => !foreign.some((other) => other === flag));
  const values = readFlags(argv, known);
  for (const flag of foreign) {
    if (values[flag] !== undefined) throw unknownFlagError(`--${flag}`, known);
  }
  const leaseFlag = electsLeader ? "leader-elect-lease-duration" : "lease-duration";
  return {
    configFile: values.config,
    kubeconfig: values["landscaper-kubeconfig"] ?? values.kubeconfig,
    host: values["landscaper-kubeconfig"] === undefined ? undefined : { kubeconfig: values.kubeconfig },
    metricsPort: parsePort(values["metrics-port"]),
    // "-v=2" is how the original's flags are written, too.
    logLevel: parseLogLevel(values.verbosity?.replace(/^=/, "")),
    leaderElection: values["leader-elect"] === true,
    leaseDurationMs: parseLeaseDuration(leaseFlag, values[leaseFlag]),
    leaseNamespace: values["lease-namespace"],
    deployers: (values.deployers ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    help: values.help === true,
    version: values.version === true,
  };
}

/** What --help prints; `name` is the program's. */
function serviceUsage(name: string, { electsLeader, registersDeployers = false }: ServiceFlagOptions): string {
  const lines = [
    ["--config FILE", "configuration file (YAML)"],
    ["--kubeconfig FILE", "cluster that holds the resources; KUBECONFIG or the pod's account when absent"],
    ["--landscaper-kubeconfig FILE", "the same, when the resources live in another cluster than the service;"],
    ["", "then --kubeconfig is that of the cluster that the service runs in"],
    ["--metrics-port N", "port of /healthz, /readyz and /metrics; 0 = none"],
    ...(electsLeader ? electionUsage : sharingUsage),
    ...(registersDeployers ? deployerUsage : []),
    ["-v, --verbosity LEVEL", `one of ${logLevels.join(", ")}, or a number`],
    ["-h, --help", "this text"],
    ["--version", "the version"],
    ...(electsLeader ? [["NATS_URL", "environment: where CloudEvents are published; none are when absent"]] : []),
  ];
  const text = lines.map(([flag = "", meaning = ""]) => `  ${flag.padEnd(33)}${meaning}`);
  return `usage: ${name} [flags]\n\n${text.join("\n")}\n`;
}

/** A program as its users know it. */
export interface ProgramName {
  readonly name: string;
  readonly version: string;
}

/** What --help and --version print; undefined when the service is to run. */
export function answerFlags(
  { help, version }: Pick<ServiceFlags, "help" | "version">,
  program: ProgramName & ServiceFlagOptions,
): string | undefined {
  if (help) return serviceUsage(program.name, program);
  return version ? `${program.name} ${program.version}\n` : undefined;
}

const electionUsage = [
  ["--leader-elect", "replicas elect a leader by Leases"],
  ["--leader-elect-lease-duration D", "after which another one follows a dead leader, at most 10m; default: 15s"],
];
const electionFlags = ["leader-elect", "leader-elect-lease-duration"] as const;

const sharingUsage = [
  ["--lease-duration D", "after which other deployers follow a dead one, at most 10m; default: 15s"],
  ["--lease-namespace NAMESPACE", "where the Leases of all deployers are, with the resources; ls-system when absent"],
];
const sharingFlags = ["lease-duration", "lease-namespace"] as const;

const deployerUsage = [
  ["--deployers NAME,NAME", "deployers to register in all Environments, beside those of the configuration file"],
];
const deployerFlags = ["deployers"] as const;

const flags = {
  config: { type: "string" },
  deployers: { type: "string" },
  help: { type: "boolean", short: "h" },
  kubeconfig: { type: "string" },
  "landscaper-kubeconfig": { type: "string" },
  "leader-elect": { type: "boolean" },
  "leader-elect-lease-duration": { type: "string" },
  "lease-duration": { type: "string" },
  "lease-namespace": { type: "string" },
  "metrics-port": { type: "string" },
  verbosity: { type: "string", short: "v" },
  version: { type: "boolean" },
} as const;

function readFlags(argv: readonly string[], known: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // parseArgs throws errors with a text for users.
    const message = String((error as { message?: unknown }).message);
    const [, unknown] = /^Unknown option '([^']*)'/.exec(message) ?? [];
    throw unknown === undefined ? configurationError(message) : unknownFlagError(unknown, known);
  }
}

function unknownFlagError(flag: string, known: readonly string[]): LandscaperError {
  const nearest = flag.startsWith("--") ? findNearestName(flag.slice("--".length), known) : undefined;
  const hint = nearest === undefined ? "--help lists the flags" : `did you mean --${nearest}?`;
  return configurationError(`Unknown option '${flag}'`, { hint });
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw configurationError(`--metrics-port: expected a port or 0, found ${JSON.stringify(text)}`);
}

/** A holder renews every fifth of it and gives up after two thirds: what is shorter than this is lost to every hiccup. */
const minLeaseDurationMs = 3_000;

function parseLeaseDuration(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = readDuration(text);
  // A Lease has whole seconds: a follower must not count more than the leader.
  const isWithinLimits = ms !== undefined && ms >= minLeaseDurationMs && ms <= maxLeaseDurationSeconds * 1_000;
  if (isWithinLimits && ms % 1_000 === 0) return ms;
  const expected = `whole seconds from ${minLeaseDurationMs / 1_000}s to ${maxLeaseDurationSeconds / 60}m`;
  throw configurationError(`--${flag}: expected ${expected}, found ${JSON.stringify(text)}`);
}

function readDuration(text: string): number | undefined {
  try {
    return parseDuration(text);
  } catch {
    return undefined;
  }
}

/** Words, or the numbers of the original's flag: 0 and 1 are info, more is debug. */
function parseLogLevel(text: string | undefined): LogLevel {
  if (text === undefined) return "info";
  if (/^\d+$/.test(text)) return Number(text) > 1 ? "debug" : "info";
  const level = logLevels.find((name) => name === text);
  if (level !== undefined) return level;
  throw configurationError(`-v: expected a number or one of ${logLevels.join(", ")}, found ${JSON.stringify(text)}`);
}
