import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shareOfTurn, shareSteps } from "../src/runs/turns.ts";
import { buildOracle } from "./build-oracle.ts";
import type { CostlyFile, Recording } from "./recording.ts";

/** A file of a recording that the real engine is asked about in this run. */
export interface DueFile {
  readonly file: string;
  /** Notes that the engine has confirmed the file. */
  readonly confirm: () => void;
}

/** The file that says that an engine has confirmed a recording: in the folder of the built engine, and so for its version alone. */
function markerOf({ content }: CostlyFile, engineFolder: string): string {
  return join(engineFolder, "confirmed", createHash("sha256").update(content).digest("hex"));
}

export interface DueOptions {
  /** E2E_TURN: a number, or unset where everything is asked. */
  readonly turn: string | undefined;
  /** The folder of a built engine. Default: of the engine that `buildOracle` gives. */
  readonly folderOf?: (engine: CostlyFile["engine"]) => string;
}

/**
 * The files of a recording that are due. A pinned engine gives the same answers to the same questions: a costly file that this very engine has
 * confirmed on this machine, with these questions and answers, has its turn once in `shareSteps.recordings` runs. Everything else is due in
 * every run: cheap files, whatever has changed, and all files of an engine of another version.
 */
export function dueFiles(
  recording: Pick<Recording, "files" | "costly">,
  { turn, folderOf = (engine) => buildOracle(engine).folder }: DueOptions,
): readonly DueFile[] {
  const { first, step } = shareOfTurn(turn, { step: shareSteps.recordings, shift: 0 });
  return recording.files().flatMap((file, index) => {
    const costly = recording.costly?.(file);
    if (costly === undefined) return [{ file, confirm: () => undefined }];
    const marker = markerOf(costly, folderOf(costly.engine));
    if (index % step !== first - 1 && existsSync(marker)) return [];
    return [{ file, confirm: () => writeMarker(marker) }];
  });
}

/** Files of a recording that a run puts to the real engine, or the reason why it skips the recording. */
export interface RecordingPlan {
  /** Reason why this run skips the whole recording. */
  readonly skipped: string | undefined;
  /** Has at least one row, because `it.each` fails without rows. If no file is due, the row stands for all files. */
  readonly files: readonly DueFile[];
}

/** Returns the due files, or skips the recording: its engine is absent, or all files have their turn in another run. */
export function planRecording(
  recording: Pick<Recording, "files" | "costly" | "absence">,
  options: DueOptions,
): RecordingPlan {
  const absence = recording.absence?.();
  const files = absence === undefined ? dueFiles(recording, options) : [];
  if (files.length > 0) return { skipped: undefined, files };
  const skipped = absence ?? "the same engine has confirmed them on this machine; they have their turn in another run";
  return { skipped, files: [{ file: "all", confirm: () => undefined }] };
}

function writeMarker(marker: string): void {
  mkdirSync(join(marker, ".."), { recursive: true });
  writeFileSync(marker, "");
}
