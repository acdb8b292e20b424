import { describe, expect, it } from "@jest/globals";
import type { KubeObject } from "@landscaper/api";
import { summarizeRounds, type AgentRound } from "../../bench/agent/agent.ts";
import { formatAgent } from "../../bench/agent/format-agent.ts";
import { whenAll } from "../../bench/agent/install-marks.ts";
import type { SeenAt } from "../../src/kits/object-history.ts";

type Flagged = KubeObject & { readonly isMet: boolean };

function seen(name: string, at: number, isMet = true): SeenAt<Flagged> {
  return { type: "MODIFIED", at, object: { apiVersion: "v1", kind: "Pod", metadata: { name }, isMet } };
}
const deleted = (name: string, at: number): SeenAt<Flagged> => ({ ...seen(name, at), type: "DELETED" });

describe("when all objects have fulfilled a condition", () => {
  it.each([
    { name: "is never while one is missing", all: [seen("a", 1), seen("a", 2)], want: Number.NaN },
    { name: "is the time of the last one", all: [seen("a", 1), seen("b", 5)], want: 5 },
    { name: "is the first time of each", all: [seen("a", 1), seen("b", 5), seen("a", 7), seen("b", 8)], want: 5 },
    { name: "does not depend on the order", all: [seen("a", 6), seen("b", 5)], want: 6 },
    { name: "waits for the condition", all: [seen("a", 1), seen("b", 5, false), seen("b", 9)], want: 9 },
    { name: "does not count deletions", all: [seen("a", 1), deleted("b", 5)], want: Number.NaN },
    { name: "leaves those out that come later", all: [seen("a", 1), seen("b", 2), seen("c", 3)], want: 2 },
  ])("$name", ({ all, want }) => {
    expect(whenAll(all, 2, ({ isMet }) => isMet)).toBe(want);
  });
});

describe("the bench of an installation by the agent", () => {
  const round = (directSeconds: number, seconds: number): AgentRound => ({
    directSeconds,
    agent: {
      agent: 2,
      installations: 1,
      deployItems: 3,
      deployments: 4,
      running: 5,
      available: seconds - 0.5,
      seconds,
    },
  });

  it("compares the medians", () => {
    const { directSeconds, agent, misses } = summarizeRounds([round(5, 8), round(4, 20), round(4, 8)]);
    expect([directSeconds, agent.seconds, agent.available, misses]).toEqual([4, 8, 7.5, []]);
  });

  it.each([
    { name: "more than twice the time of helm", rounds: [round(4, 8.4)], ratio: "2.10" },
    { name: "what was not measured", rounds: [round(4, Number.NaN)], ratio: "NaN" },
    { name: "a bench without rounds", rounds: [], ratio: "NaN" },
  ])("misses its budget with $name", ({ rounds, ratio }) => {
    expect(summarizeRounds(rounds).misses).toEqual([
      `time by the agent to that of helm alone: ${ratio}, the budget is 2`,
    ]);
  });

  it("reports every round, and what is missed", () => {
    expect(formatAgent(summarizeRounds([round(4, 8), round(3, 8)])))
      .toBe(`Four deployers on a real node, since the start of helm

                                              median  round 1  round 2
four helm install --wait at once               3.0 s    4.0 s    3.0 s
by the agent: Installations of all deployers   1.0 s    1.0 s    1.0 s
by the agent: the agent is ready               2.0 s    2.0 s    2.0 s
by the agent: DeployItems                      3.0 s    3.0 s    3.0 s
by the agent: Deployments                      4.0 s    4.0 s    4.0 s
by the agent: all deployers run                5.0 s    5.0 s    5.0 s
by the agent: all Deployments are available    7.5 s    7.5 s    7.5 s
by the agent: the Environment has succeeded    8.0 s    8.0 s    8.0 s
ratio, at most 2                                2.67     2.00     2.67

missed: time by the agent to that of helm alone: 2.67, the budget is 2`);
  });
});
