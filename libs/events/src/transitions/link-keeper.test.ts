import { describe, expect, it } from "@jest/globals";
import { createRetryPause } from "../retry-pause.ts";
import { createLinkKeeper } from "./link-keeper.ts";
import { TakenOver } from "./nats-problem.ts";

interface Link {
  readonly number: number;
  close(): Promise<void>;
}

/** A keeper whose openings are played: each of `failures` fails one of them. Pauses end at once. */
function createKeeper(failures: Error[]) {
  const pauses: number[] = [];
  const problems: string[] = [];
  const closed: number[] = [];
  let elapsed = 0;
  let opened = 0;
  const schedule = (ms: number, callback: () => void): (() => void) => {
    pauses.push(ms);
    callback();
    return () => {};
  };
  const keeper = createLinkKeeper<Link>({
    open: () => {
      const failure = failures.shift();
      if (failure !== undefined) return Promise.reject(failure);
      const number = ++opened;
      return Promise.resolve({ number, close: () => Promise.resolve(void closed.push(number)) });
    },
    pause: createRetryPause({ schedule }, () => 0),
    clock: { elapsed: () => elapsed },
    onProblem: (error) => void problems.push(error instanceof Error ? error.message : "over"),
  });
  const pass = (ms: number): void => void (elapsed += ms);
  return { keeper, pauses, problems, closed, pass };
}

describe("createLinkKeeper", () => {
  it("opens one link for all, after growing pauses, and reports the end of the problem only when the server has acknowledged", async () => {
    const { keeper, pauses, problems } = createKeeper([new Error("away"), new Error("still away")]);
    const [first, second] = await Promise.all([keeper.get(), keeper.get()]);
    expect(first).toBe(second);
    expect(pauses).toEqual([250, 500]);
    expect(problems).toEqual(["away", "still away"]);
    keeper.succeed();
    keeper.succeed();
    expect(problems).toEqual(["away", "still away", "over"]);
  });

  it("replaces a link that failed once, however many users report it", async () => {
    const { keeper, closed } = createKeeper([]);
    const link = await keeper.get();
    keeper.fail(link, new Error("broken"));
    keeper.fail(link, new Error("broken"));
    const next = await keeper.get();
    keeper.fail(link, new Error("late"));
    expect([next.number, await keeper.get(), closed]).toEqual([2, next, [1]]);
  });

  it("lets the pauses grow while links fail soon, and starts again after a link that lasted", async () => {
    const { keeper, pauses, pass } = createKeeper([]);
    for (const lifetimeMs of [0, 0, 0, 3_000]) {
      const link = await keeper.get();
      pass(lifetimeMs);
      keeper.fail(link, new Error("broken"));
    }
    await keeper.get();
    expect(pauses).toEqual([250, 500, 1_000, 250]);
  });

  it("gives up when another publisher has taken over, and when it is closed", async () => {
    const taken = createKeeper([new TakenOver("hub.owner")]);
    await expect(taken.keeper.get()).rejects.toThrow(TakenOver);
    const { keeper, closed } = createKeeper([]);
    await keeper.get();
    await keeper.close();
    await expect(keeper.get()).rejects.toThrow("the publisher of events was stopped");
    expect(closed).toEqual([1]);
  });
});
