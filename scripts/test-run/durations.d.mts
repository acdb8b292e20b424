/** Reads the seconds of each test file in its last run, by its path. Returns no durations for a missing or damaged file. */
export function readDurations(file: string): Readonly<Record<string, number>>;

/** Merges durations into the file. Writes the file atomically. */
export function mergeDurations(file: string, measured: Readonly<Record<string, number>>): void;
