import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "@landscaper/json";
import type { Server } from "@landscaper/testkit";
import type { ParityCase, Recorded } from "./exchange.ts";
import { runCase } from "./run-case.ts";

const defaultFolder = join(import.meta.dirname, "../../testdata/parity");

function fileOf({ name }: ParityCase, folder: string): string {
  return join(folder, `${name.replaceAll(" ", "-")}.json`);
}

export function isRecorded(parityCase: ParityCase, folder = defaultFolder): boolean {
  return existsSync(fileOf(parityCase, folder));
}

/** What the real server answered to the exchanges of a case. */
export function readRecorded(parityCase: ParityCase, folder = defaultFolder): readonly Recorded[] {
  return parseJson(readFileSync(fileOf(parityCase, folder), "utf8")) as unknown as readonly Recorded[]; // written below
}

/** Runs a case against a real server and writes what it answered. */
export async function recordCase(server: Server, parityCase: ParityCase, folder = defaultFolder): Promise<void> {
  const answers = await runCase(server, parityCase);
  writeFileSync(fileOf(parityCase, folder), `${JSON.stringify(answers, undefined, 1)}\n`);
}
