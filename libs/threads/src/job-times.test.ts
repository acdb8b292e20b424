import { expect, it } from "@jest/globals";
import { JobTimes } from "./job-times.ts";

it("adds up the other parts of a job, each as it was last", () => {
  const times = new JobTimes();
  times.note({ id: "a", part: "init" }, 10);
  times.note({ id: "a", part: "init" }, 20);
  times.note({ id: "a", part: "exports" }, 5);
  times.note({ id: "b", part: "init" }, 100);
  expect(times.usedByOthers({ id: "a", part: "complete" })).toBe(25);
  expect(times.usedByOthers({ id: "a", part: "init" })).toBe(5);
  expect(times.usedByOthers({ id: "c", part: "init" })).toBe(0);
});

it("forgets the jobs that came first", () => {
  const times = new JobTimes();
  for (let i = 0; i <= 10_000; i++) times.note({ id: `job-${i}`, part: "init" }, 1);
  expect(times.usedByOthers({ id: "job-0", part: "complete" })).toBe(0);
  expect(times.usedByOthers({ id: "job-1", part: "complete" })).toBe(1);
});
