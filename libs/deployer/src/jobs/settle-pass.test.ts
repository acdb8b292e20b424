// Pauses and what ends them: pure but for the memory of the job.
import { beforeEach, describe, expect, it } from "@jest/globals";
import { LandscaperError, type DeployItem } from "@landscaper/api";
import type { AwaitedObjects } from "@landscaper/resources";
import { beginPass, pauseFor, remainingPauseMs, takeNews } from "./job-pause.ts";
import { createJobRegistry, type JobMemory } from "./job-registry.ts";
import type { News } from "../watches/kind-watches.ts";
import { playCluster } from "../../test/play-watches.ts";
import type { RunResult } from "./run-deployer.ts";
import { noteWait, pauseToRetry, pauseToWait, settle, type PassEnd } from "./settle-pass.ts";
import { JobLostError } from "./reporting/status-writer.ts";

const item: DeployItem = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "DeployItem",
  metadata: { name: "item", namespace: "n", uid: "u", generation: 1 },
  spec: { type: "t" },
  status: { jobID: "1" },
};
const subject = { item, target: { state: "none" } } as const;

let elapsedMs: number;
let standing: boolean;
let subscribed: string[];
let memory: JobMemory;

beforeEach(() => {
  elapsedMs = 1000;
  standing = true;
  subscribed = [];
  const watches = {
    subscribe: ({ name = "" }: AwaitedObjects) => {
      subscribed.push(name);
      return {
        get isStanding() {
          return standing;
        },
        end: () => void subscribed.splice(subscribed.indexOf(name), 1),
      };
    },
    keyOf: ({ name = "" }: AwaitedObjects) => name,
  };
  const jobs = createJobRegistry(undefined, {
    watches,
    onNews: (_item, known, told) => void takeNews(known, told, elapsedMs),
  });
  memory = jobs.enter(item, "1");
});

const end = (deadline?: number): PassEnd => ({
  memory,
  subject,
  deadline,
  clock: { elapsed: () => elapsedMs },
  targetWaitMs: 5000,
  random: () => 0,
});
const { cluster } = playCluster();
const awaited = (...names: readonly string[]): AwaitedObjects[] =>
  names.map((name) => ({ cluster, apiVersion: "v1", kind: "Pod", namespace: "n", name }));

type Waited = RunResult & { type: "waiting" };

function waiting(fields: Pick<Waited, "wakeOn" | "requeueAfterMs"> = {}): Waited {
  return { type: "waiting", reported: undefined, waitingFor: "it", ...fields };
}

function failure(error: unknown, isCancelled = false): RunResult & { type: "failed" } {
  return { type: "failed", reported: undefined, error, isCancelled };
}

/** One pass that waits; how long until the next one. */
function pass(fields: Parameters<typeof waiting>[0], deadline?: number): number | undefined {
  beginPass(memory);
  noteWait(end(deadline), false);
  return pauseToWait(waiting(fields), end(deadline)).requeueAfterMs;
}

describe("what becomes of a pass", () => {
  const down = failure(new LandscaperError({ message: "down", reason: "Down" }));
  const refused = failure(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
  const done: RunResult = { type: "done", reported: undefined };

  it.each<readonly [string, RunResult, number | undefined, string]>([
    ["done", done, undefined, "done"],
    ["done, however late", done, 500, "done"],
    ["waiting", waiting(), undefined, "wait"],
    ["waiting, before its deadline", waiting(), 1001, "wait"],
    ["waiting, at its deadline", waiting(), 1000, "late"],
    ["failed", down, 1001, "retry"],
    ["failed, after its deadline", down, 999, "late"],
    ["failed for good, also when it is late", refused, 999, "failed"],
    ["cancelled by the deadline, a moment before the clock reads it", failure(new Error("x"), true), 1001, "late"],
  ])("%s", (...[_name, result, deadline, type]) => {
    expect(settle(result, end(deadline))).toEqual({ type, result });
  });

  it("nothing where the job is somebody else's", () => {
    const lost = new JobLostError();
    expect(() => settle(failure(lost), end())).toThrow(lost);
  });
});

describe("a refusal", () => {
  const refusal = failure(
    new LandscaperError({ message: "bad field", reason: "TargetRefused", retry: "briefly", hint: "h" }),
  );
  const other = failure(new LandscaperError({ message: "down", reason: "Down" }));

  /** Passes until the job ends: when, in ms since the first one. */
  function tryUntilFailed(deadline?: number, refused = refusal): number[] {
    const tries: number[] = [];
    const start = elapsedMs;
    for (;;) {
      tries.push(elapsedMs - start);
      beginPass(memory);
      const { type } = settle(refused, end(deadline));
      if (type !== "retry") return tries;
      elapsedMs += pauseToRetry(refused, end(deadline)).requeueAfterMs ?? 0;
    }
  }

  it("is tried again for thirty seconds, and ends the job with its hint", () => {
    expect(tryUntilFailed()).toEqual([0, 500, 1500, 3500, 7500, 15_500, 30_000]);
    expect(settle(refusal, end())).toMatchObject({
      type: "failed",
      result: {
        error: { message: "bad field", hint: "h", retry: "never", codes: ["ERR_CONFIGURATION_PROBLEM"] },
      },
    });
  });

  it("of a missing Secret of the Target is tried for the time that is configured, also after another refusal", () => {
    const missing = failure(new LandscaperError({ message: "no", reason: "TargetSecretMissing", retry: "briefly" }));
    settle(refusal, end());
    expect(tryUntilFailed(undefined, missing)).toEqual([0, 500, 1500, 3500, 5000]);
  });

  it("is tried three times, however long they take", () => {
    const types = [0, 40_000, 40_000].map((ms) => {
      elapsedMs += ms;
      return settle(refusal, end()).type;
    });
    expect(types).toEqual(["retry", "retry", "failed"]);
  });

  it.each([
    ["another failure", () => void settle(other, end())],
    ["a wait", () => void noteWait(end(), false)],
  ])("counts anew after %s", (_name, interrupt) => {
    settle(refusal, end());
    settle(refusal, end());
    interrupt();
    elapsedMs += 40_000;
    expect(tryUntilFailed().at(-1)).toBe(30_000);
  });

  it("does not outlast the deadline", () => {
    expect(tryUntilFailed(elapsedMs + 10_000).at(-1)).toBe(10_000);
  });
});

describe("a wait", () => {
  it("without objects is polled, less and less often, or as the deployer says", () => {
    expect([pass({}), pass({}), pass({}), pass({ requeueAfterMs: 7 })]).toEqual([250, 375, 563, 7]);
    expect(subscribed).toEqual([]);
  });

  it("for objects is polled once more when they are watched, then hardly ever", () => {
    const wakeOn = awaited("a");
    expect([pass({ wakeOn }), pass({ wakeOn }), pass({ wakeOn })]).toEqual([200, 25_000, 25_000]);
    expect(pass({ wakeOn: awaited("a", "b") })).toBe(200);
    expect(pass({ wakeOn: awaited("b") })).toBe(25_000);
    expect(subscribed).toEqual(["b"]);
  });

  it("is polled as long as one of them is not watched", () => {
    const wakeOn = awaited("a");
    standing = false;
    expect([pass({ wakeOn }), pass({ wakeOn })]).toEqual([250, 375]);
    standing = true;
    // The watch stood before the third pass began, not before the second one.
    expect([pass({ wakeOn }), pass({ wakeOn })]).toEqual([25_000, 25_000]);
  });

  it("comes back at the latest when the deployer says, and never after the deadline", () => {
    const wakeOn = awaited("a");
    pass({ wakeOn });
    expect(pass({ wakeOn, requeueAfterMs: 4000 })).toBe(4000);
    expect(pass({ wakeOn }, 1700)).toBe(700);
    standing = false;
    expect(pass({ wakeOn, requeueAfterMs: 40_000 })).toBe(844);
  });

  it("without objects any more gives the watches back", () => {
    pass({ wakeOn: awaited("a") });
    pass({});
    expect(subscribed).toEqual([]);
  });

  it("that begins when the job is over watches nothing", () => {
    const jobs = createJobRegistry();
    const old = jobs.enter(item, "1");
    jobs.forget(item);
    expect(old.wakeUps.waitFor(awaited("a"))).toBe("uncovered");
  });

  it("is written to the status at once, then every 10 s, and news at once", () => {
    const told = (isNewsworthy = false): boolean => noteWait(end(), isNewsworthy);
    expect([told(), told(), told(true)]).toEqual([true, false, true]);
    elapsedMs += 9999;
    expect(told()).toBe(false);
    elapsedMs += 1;
    expect([told(), memory.waits]).toEqual([true, 5]);
  });
});

describe("the reason of a wait", () => {
  /** One pass that waits; whether the status is written, and the pause. */
  function waitFor(reason: string): [boolean, number | undefined] {
    beginPass(memory);
    memory.waitingFor = reason;
    const isTold = noteWait(end(), false);
    return [isTold, pauseToWait(waiting({ requeueAfterMs: 30_000 }), end()).requeueAfterMs];
  }

  it("is in the status two seconds after it has changed, also when nothing else happens", () => {
    elapsedMs = 100_000;
    expect(waitFor("a")).toEqual([true, 30_000]);
    elapsedMs += 500;
    expect(waitFor("b")).toEqual([false, 1500]);
    elapsedMs += 1500;
    expect(waitFor("c")).toEqual([true, 30_000]);
    elapsedMs += 9_000;
    expect(waitFor("c")).toEqual([false, 30_000]);
    expect(waitFor("d")).toEqual([true, 30_000]);
  });
});

describe("news", () => {
  const pauseMs = (): number => remainingPauseMs(memory, subject, elapsedMs);
  const tell = (news: News, afterMs = 0): boolean => takeNews(memory, { news, afterMs }, elapsedMs);

  beforeEach(() => {
    beginPass(memory);
    pauseFor(memory, subject, { elapsedMs, delayMs: 25_000, isAfterFailure: false });
  });

  it("ends a pause, once", () => {
    elapsedMs += 5000;
    expect([pauseMs(), tell("change"), pauseMs(), tell("change")]).toEqual([20_000, true, 0, false]);
  });

  it("that may wait end it then, and hide none that may not", () => {
    elapsedMs += 1000;
    expect([tell("change", 3000), pauseMs(), tell("change", 4000), pauseMs()]).toEqual([true, 3000, false, 3000]);
    elapsedMs += 1000;
    expect([tell("change", 1000), pauseMs(), tell("change"), pauseMs()]).toEqual([true, 1000, true, 0]);
  });

  it("that may wait are looked at in their time when they come during a pass", () => {
    beginPass(memory);
    expect(tell("change", 3000)).toBe(true);
    elapsedMs += 1000;
    const times = { elapsedMs, delayMs: 25_000, isAfterFailure: false };
    expect(pauseFor(memory, subject, times)).toEqual({ requeueAfterMs: 2000 });
    tell("change", 50);
    expect(pauseFor(memory, subject, times)).toEqual({ requeueAfterMs: 200 });
    expect(pauseFor(memory, subject, { elapsedMs, delayMs: 25_000 })).toEqual({ requeueAfterMs: 25_000 });
    beginPass(memory);
    expect(pauseFor(memory, subject, times)).toEqual({ requeueAfterMs: 25_000 });
  });

  it("leaves a moment between two passes", () => {
    elapsedMs += 50;
    expect([tell("change"), pauseMs()]).toEqual([true, 150]);
  });

  it("during a pass makes the pause after it short", () => {
    beginPass(memory);
    tell("change");
    expect(pauseFor(memory, subject, { elapsedMs, delayMs: 25_000, isAfterFailure: false })).toEqual({
      requeueAfterMs: 200,
    });
    expect(pauseFor(memory, subject, { elapsedMs, delayMs: 25_000 })).toEqual({ requeueAfterMs: 25_000 });
  });

  it("of before the pass does not count after it", () => {
    tell("change");
    beginPass(memory);
    expect(pauseFor(memory, subject, { elapsedMs, delayMs: 25_000, isAfterFailure: false }).requeueAfterMs).toBe(
      25_000,
    );
  });

  it("of changes does not end the pause after a failure, that of a watch does", () => {
    beginPass(memory);
    pauseToRetry(failure(new Error("x")), end());
    expect([memory.failures, pauseMs(), tell("change"), pauseMs()]).toEqual([1, 500, false, 500]);
    elapsedMs += 300;
    expect([tell("watch"), pauseMs(), tell("change"), tell("watch")]).toEqual([true, 0, false, false]);
  });
});

it("ends all subscriptions with the job", () => {
  const watches = {
    subscribe: () => ({ isStanding: true, end: () => void subscribed.push("ended") }),
    keyOf: ({ name = "" }: AwaitedObjects) => name,
  };
  const jobs = createJobRegistry(undefined, { watches, onNews: () => {} });
  for (const finish of [() => jobs.leave(item), () => jobs.forget(item), () => jobs.observe({ ...item, status: {} })]) {
    jobs.enter(item, "1").wakeUps.waitFor(awaited("a", "b"));
    finish();
  }
  expect(subscribed).toEqual(Array.from({ length: 6 }, () => "ended"));
});
