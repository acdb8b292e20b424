import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Refusals } from "./run-sample.ts";
import type { Sample } from "./sample.ts";

const folder = join(import.meta.dirname, "../../testdata/field-changes");

/** E.g. "Deployment of apps/v1". */
export function nameOfSample({ apiVersion, kind }: Sample): string {
  return `${kind} of ${apiVersion}`;
}

function fileOf({ apiVersion, kind }: Sample): string {
  return join(folder, `${kind}.${apiVersion.replace("/", ".")}.json`);
}

export function hasRecordedChanges(sample: Sample): boolean {
  return existsSync(fileOf(sample));
}

/** What the real server refused of the changes of a sample. */
export function readRecordedChanges(sample: Sample): Refusals {
  return JSON.parse(readFileSync(fileOf(sample), "utf8")) as Refusals; // written below
}

/** One line per change, so that another version of the server shows its differences. */
export function writeRecordedChanges(sample: Sample, refusals: Refusals): void {
  mkdirSync(folder, { recursive: true });
  const lines = Object.entries(refusals).map(
    ([title, causes]) => ` ${JSON.stringify(title)}: ${JSON.stringify(causes)}`,
  );
  writeFileSync(fileOf(sample), `{\n${lines.join(",\n")}\n}\n`);
}
