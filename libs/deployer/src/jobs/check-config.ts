import { holdsMoreValues, LandscaperError } from "@landscaper/api";

/** Texts, numbers, lists and maps in a configuration: more than any that fits into an item has, unless it was made for that. */
const maxValues = 100_000;
/** Entries of a list, such as objects: with their inventory, more of the smallest ones do not fit into an item. */
const maxEntries = 5_000;
/** Lists and maps around a value. */
const maxLevels = 200;

/**
 * Throws LandscaperError for a configuration that a pass would work on for too long. Entries are counted in the lists that a deployer goes
 * through: those of the first three levels.
 */
export function checkConfig(config: unknown, where: string): void {
  const count = { values: 0 };
  checkLevel(config, { count, where, level: 0 });
}

/** Of values: less is parsed in a millisecond. */
const largeConfig = 2000;

/** Whether work on the configuration needs a turn of its own. */
export function isLargeConfig(config: unknown): boolean {
  return holdsMoreValues(config, largeConfig);
}

interface Place {
  readonly count: { values: number };
  readonly where: string;
  readonly level: number;
}

const listLevels = 3;

function checkLevel(value: unknown, { count, where, level }: Place): void {
  if (++count.values > maxValues) throw tooMuch(where, `more than ${maxValues} values`);
  if (typeof value !== "object" || value === null) return;
  if (level >= maxLevels) throw tooMuch(where, `more than ${maxLevels} levels`);
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (level <= listLevels && Array.isArray(value) && members.length > maxEntries) {
    throw tooMuch(where, `a list of more than ${maxEntries} entries`);
  }
  for (const member of members) checkLevel(member, { count, where, level: level + 1 });
}

function tooMuch(where: string, found: string): LandscaperError {
  return new LandscaperError({
    message: `${where}: found ${found}, which no pass of a job may work on`,
    reason: "ContentLimitExceeded",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "split the deploy item",
    retry: "never",
  });
}
