import { parseDurationField, type HelmProviderConfiguration } from "@landscaper/api";

type Options = NonNullable<HelmProviderConfiguration["helmDeploymentConfig"]>;

/** What the configuration wants about attempts that fail (deployers.md §6 B15); fields and defaults as in Flux. */
export interface Remediation {
  /** Attempts after the first one; Infinity: as long as the job may take. */
  readonly retries: number;
  readonly strategy: "rollback" | "uninstall";
  /** Whether the last failure is undone, too. */
  readonly undoesLast: boolean;
  /** How long an attempt may take, in ms; undefined: as long as the job. */
  readonly timeoutMs: number | undefined;
}

export interface Remediations {
  /** Of a release that was never deployed. */
  readonly install: Remediation | undefined;
  readonly upgrade: Remediation | undefined;
}

/** Where `atomic` undoes the first failure, there is none. Throws LandscaperError naming the field. */
export function parseRemediations(options: Options, where: string): Remediations {
  return { install: parseInstall(options.install, where), upgrade: parseUpgrade(options.upgrade, where) };
}

function parseInstall(install: Options["install"], where: string): Remediation | undefined {
  const timeoutMs = parseTimeout(install?.timeout, `${where}.install.timeout`);
  if (install?.remediation === undefined || install.atomic === true) return undefined;
  const { retries, remediateLastFailure: undoesLast = false } = install.remediation;
  return { retries: countOf(retries), strategy: "uninstall", undoesLast, timeoutMs };
}

function parseUpgrade(upgrade: Options["upgrade"], where: string): Remediation | undefined {
  const timeoutMs = parseTimeout(upgrade?.timeout, `${where}.upgrade.timeout`);
  if (upgrade?.remediation === undefined || upgrade.atomic === true) return undefined;
  const { strategy = "rollback", remediateLastFailure, ...given } = upgrade.remediation;
  const retries = countOf(given.retries);
  return { retries, strategy, undoesLast: remediateLastFailure ?? retries > 0, timeoutMs };
}

function countOf(retries = 0): number {
  return retries < 0 ? Number.POSITIVE_INFINITY : retries;
}

/** Returns undefined for no limit. Throws LandscaperError for invalid durations, even if the timeout has no effect, as the original does. */
function parseTimeout(text: string | undefined, where: string): number | undefined {
  const timeoutMs = text === undefined ? 0 : parseDurationField(text, where);
  return timeoutMs === 0 ? undefined : timeoutMs;
}
