import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "../testing/send-request.ts";
import type { ParityCase, Recorded } from "./exchange.ts";
import { runCase } from "./run-case.ts";

function fileOf({ name }: ParityCase): string {
  return join(import.meta.dirname, "testdata", `${name.replaceAll(" ", "-")}.json`);
}

export function isRecorded(parityCase: ParityCase): boolean {
  return existsSync(fileOf(parityCase));
}

/** What the real server answered to the exchanges of a case. */
export function readRecorded(parityCase: ParityCase): readonly Recorded[] {
  return JSON.parse(readFileSync(fileOf(parityCase), "utf8")) as readonly Recorded[]; // written below
}

/** Runs a case against a real server and writes what it answered. */
export async function recordCase(server: Server, parityCase: ParityCase): Promise<void> {
  const answers = await runCase(server, parityCase);
  writeFileSync(fileOf(parityCase), `${JSON.stringify(answers, undefined, 1)}\n`);
}
