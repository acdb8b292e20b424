import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dueFiles, planRecording } from "../../oracles/confirmations.ts";
import type { OracleName } from "../../oracles/build-oracle.ts";
import { shareSteps } from "../../src/runs/turns.ts";

const scratch = mkdtempSync(join(tmpdir(), "confirmations-"));
afterAll(() => rmSync(scratch, { recursive: true }));

let version = "";
beforeEach(() => {
  version = mkdtempSync(join(scratch, "engine-"));
});
const folderOf = (engine: OracleName): string => join(version, engine);
const turns = Array.from({ length: shareSteps.recordings }, (_, turn) => String(turn));

/** Six costly files and a cheap one; `content` is what the costly ones say. */
function recordingOf(content = "recorded") {
  return {
    files: () => ["0", "1", "2", "cheap", "3", "4", "5"],
    costly: (file: string) =>
      file === "cheap" ? undefined : ({ engine: "helm", content: `${content} ${file}` } as const),
  };
}
const namesOf = (turn: string | undefined, content?: string): string[] =>
  dueFiles(recordingOf(content), { turn, folderOf }).map(({ file }) => file);
function confirmAll(): void {
  for (const { confirm } of dueFiles(recordingOf(), { turn: undefined, folderOf })) confirm();
}

describe("dueFiles and planRecording", () => {
  it("ask the engine about all that it has not confirmed on this machine", () => {
    for (const turn of turns) expect(namesOf(turn)).toHaveLength(7);
  });

  it("ask about each confirmed costly recording once in `shareSteps.recordings` runs, and about cheap ones in every run", () => {
    confirmAll();
    const runs = turns.map((turn) => namesOf(turn));
    for (const names of runs) expect(names).toContain("cheap");
    expect(
      runs
        .flat()
        .filter((name) => name !== "cheap")
        .toSorted(),
    ).toEqual(["0", "1", "2", "3", "4", "5"]);
  });

  it("skip a recording with one confirmed file in all but one run, and give the reason", () => {
    const recording = { ...recordingOf(), files: () => ["0"] };
    const skippedIn = (): (string | undefined)[] =>
      turns.map((turn) => planRecording(recording, { turn, folderOf }).skipped);
    expect(skippedIn()).toEqual(turns.map(() => undefined));

    confirmAll();
    const reason = "the same engine has confirmed them on this machine; they have their turn in another run";
    expect(skippedIn()).toEqual(expect.arrayContaining([reason, undefined]));
    expect(skippedIn().filter((one) => one === undefined)).toHaveLength(1);
    for (const turn of turns) expect(planRecording(recording, { turn, folderOf }).files).toHaveLength(1);
  });

  it("skips a recording whose engine is absent, without looking for the engine", () => {
    const recording = { ...recordingOf(), absence: () => "no Go" };
    const folderOfAbsent = (): string => {
      throw new Error("looked for");
    };
    expect(planRecording(recording, { turn: "0", folderOf: folderOfAbsent })).toMatchObject({
      skipped: "no Go",
      files: [{ file: "all" }],
    });
  });

  it("all of them without a turn", () => {
    confirmAll();
    expect(namesOf(undefined)).toHaveLength(7);
  });

  it("all again when questions or answers have changed", () => {
    confirmAll();
    expect(namesOf("0", "changed")).toHaveLength(7);
  });

  it("all again when the engine has another version: its folder is another one", () => {
    confirmAll();
    version = mkdtempSync(join(scratch, "engine-"));
    expect(namesOf("0")).toHaveLength(7);
  });
});
