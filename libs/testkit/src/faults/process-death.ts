import type { FaultRequest, LocalCluster } from "@landscaper/local-cluster";

/** When a process dies: at its write of this number, from 0. */
export interface Death {
  readonly write: number;
  /** "close": before the server has done the write; "drop-answer": after it, and the process does not learn of that. */
  readonly mode: "close" | "drop-answer";
}

export interface DeathOptions {
  readonly death: Death;
  /** How the user agents of the process begin: its clients may have several. */
  readonly userAgent: string;
  /** Tells apart processes whose user agents begin alike; only the one that makes the fatal write dies. Default: they are one process. */
  readonly processOf?: (userAgent: string) => string;
  /** Which requests of the processes are counted. Default: creations, changes and deletions of anything but Leases and events. */
  readonly isCounted?: (request: FaultRequest) => boolean;
  /** The process loses this one answer, or connection, and lives on. Default: nothing leaves it any more, events aside. */
  readonly survives?: boolean;
  /** Called while the fatal request waits. */
  readonly onDeath?: () => void;
}

export interface ArmedDeath {
  /** Whether the process has come to the fatal write. */
  readonly hasDied: boolean;
  /** "verb resource name" of the counted writes, the fatal one and those behind it included; creations have no name yet. */
  readonly writes: readonly string[];
  /** The servers answer everybody again. */
  readonly disarm: () => void;
}

const deathModes: readonly Death["mode"][] = ["close", "drop-answer"];

interface RunOfDeaths {
  /** Default: the environment of this process. E2E_FULL=1 is a full run; E2E_TURN is the number of commits in `npm test`. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Throws an Error if E2E_TURN is set to anything but a number: no test with turns would run. */
export function expectTurn(turn: string | undefined): void {
  if (turn === undefined || /^\d{0,9}$/.test(turn)) return;
  throw new Error(`E2E_TURN: expected a number of commits, found "${turn}"`);
}

/** Number of the run if it takes a share of the deaths; undefined if it takes all of them. */
function turnOf({ env = process.env }: RunOfDeaths): number | undefined {
  const turn = env["E2E_TURN"] ?? "";
  expectTurn(turn);
  return env["E2E_FULL"] === "1" || turn === "" ? undefined : Number(turn);
}

/**
 * Returns the modes in which a test lets the process die at this write. A full run has both. A run with E2E_TURN has a death at every second write: four
 * consecutive turns of a test have both modes at every write; a test with a turn in every third run needs twelve runs. Any other run has one mode, which alternates from write to write. `shift` alternates scenarios.
 */
export function deathModesAt(
  write: number,
  { shift = 0, ...run }: RunOfDeaths & { readonly shift?: number } = {},
): readonly Death["mode"][] {
  if ((run.env ?? process.env)["E2E_FULL"] === "1") return deathModes;
  const turn = turnOf(run);
  const place = turn === undefined ? 2 * (write + shift) : write + shift + turn;
  return deathModes.filter((_, index) => 2 * index === place % (2 * deathModes.length));
}

/**
 * Returns the variants in which a test with deaths runs. A full run has all. Any other run has one, which alternates from scenario to scenario (`shift`); with
 * E2E_TURN, it alternates after four runs (`deathModesAt`). Two variants: a test that runs in every third run would never combine three variants with all modes.
 */
export function variantsOfRun<T>(
  variants: readonly T[],
  { shift = 0, ...run }: RunOfDeaths & { readonly shift?: number } = {},
): readonly T[] {
  if ((run.env ?? process.env)["E2E_FULL"] === "1") return variants;
  const place = shift + Math.floor((turnOf(run) ?? 0) / (2 * deathModes.length));
  return variants.filter((_, index) => index === place % variants.length);
}

/** Writes at which a run lets a process die: every `step`th from `first` on. */
export interface DeathShare {
  readonly first: number;
  readonly step: number;
  /** Whether the process is killed at this write, instead of losing only the answer. `shift` alternates scenarios. */
  readonly isKilledAt: (write: number, shift: number) => boolean;
}

/** Returns the writes of this run for tests that count writes over several steps: all, or with E2E_TURN half of them, so that four consecutive turns of a test have both modes at every write. */
export function shareOfDeaths(run: RunOfDeaths = {}): DeathShare {
  const turn = turnOf(run);
  const [first, step, alternate] = turn === undefined ? [0, 1, 0] : [turn % 2, 2, Math.floor(turn / 2)];
  return { first, step, isKilledAt: (write, shift) => (Math.floor(write / step) + shift + alternate) % 2 === 0 };
}

const writeVerbs = new Set(["create", "update", "patch", "delete"]);

function isWrite({ verb, resource }: FaultRequest): boolean {
  return writeVerbs.has(verb) && resource !== "leases" && resource !== "events";
}

/** Lets a process in this one die as if it were killed between two of its writes: on embedded servers, which count its writes together. */
export function armDeath(servers: readonly Pick<LocalCluster, "setFault">[], options: DeathOptions): ArmedDeath {
  const { death, userAgent: prefix, isCounted = isWrite, survives = false, onDeath } = options;
  const processOf = options.processOf ?? (() => prefix);
  const writes: string[] = [];
  const dead = new Set<string>();
  const rule = (request: FaultRequest): Death["mode"] | undefined => {
    const { verb, resource, name, userAgent } = request;
    if (!userAgent.startsWith(prefix)) return undefined;
    if (dead.has(processOf(userAgent))) return resource === "events" ? undefined : "close";
    if (!isCounted(request)) return undefined;
    writes.push(`${verb} ${resource} ${name}`);
    if (writes.length !== death.write + 1) return undefined;
    if (!survives) dead.add(processOf(userAgent));
    onDeath?.();
    return death.mode;
  };
  for (const server of servers) server.setFault(rule);
  return {
    get hasDied() {
      return writes.length > death.write;
    },
    writes,
    disarm: () => {
      for (const server of servers) server.setFault(undefined);
    },
  };
}
