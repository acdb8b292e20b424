// Plain JavaScript: jest loads it with long-suites-first.mjs. Documented in durations.d.mts.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

export function readDurations(file) {
  try {
    const durations = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(durations)
      ? Object.fromEntries(Object.entries(durations).filter(([, seconds]) => Number.isFinite(seconds)))
      : {};
  } catch {
    return {};
  }
}

export function mergeDurations(file, measured) {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify({ ...readDurations(file), ...measured }));
  renameSync(unfinished, file);
}
