import { describe, expect, it } from "@jest/globals";
import { listJobLines } from "./job-log.ts";
import type { JobHolderStatus } from "./job-status.ts";

const times = { lastTransitionTime: "", lastUpdateTime: "" };
const at = (message: string): NonNullable<JobHolderStatus["conditions"]> => [
  { type: "Reconciling", status: "True", reason: "Progressing", message, ...times },
];
const before = { jobID: "1", jobIDFinished: "1", phase: "Succeeded" };
const running = { jobID: "2", jobIDFinished: "1", phase: "Progressing" };
const lastError = { operation: "o", reason: "ImportsSatisfied", message: "x", ...times };

describe("the lines of the log about a job", () => {
  it.each<readonly [string, JobHolderStatus, JobHolderStatus, readonly string[]]>([
    ["start", { ...before, jobID: "2" }, before, ['info job started {"job":"2"}']],
    [
      "start and first wait",
      { ...running, conditions: at("waits for its children") },
      before,
      ['info job started {"job":"2"}', 'info job waits {"job":"2","for":"waits for its children"}'],
    ],
    [
      "another wait",
      { ...running, conditions: at("b") },
      { ...running, conditions: at("a") },
      ['info job waits {"job":"2","for":"b"}'],
    ],
    ["the same wait", { ...running, conditions: at("a") }, { ...running, conditions: at("a") }, []],
    ["work", { ...running, conditions: at("a job is running") }, running, []],
    ["success", { ...running, jobIDFinished: "2", phase: "Succeeded" }, running, ['info job succeeded {"job":"2"}']],
    [
      "failure",
      { ...running, jobIDFinished: "2", phase: "Failed", lastError },
      running,
      ['warn job failed {"job":"2","reason":"ImportsSatisfied","error":"x"}'],
    ],
    ["conditions after the end", { ...before, conditions: at("a") }, before, []],
  ])("%s", (...[, current, previous, expected]) => {
    const lines = listJobLines(current, previous);
    expect(lines.map(({ level, message, fields }) => `${level} ${message} ${JSON.stringify(fields)}`)).toEqual(
      expected,
    );
  });
});
