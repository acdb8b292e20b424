import { describe, expect, it } from "@jest/globals";
import { createJobRandom } from "./job-random.ts";

describe("random bytes of a job (design.md §3.2)", () => {
  const key = new Uint8Array(32);
  const draw = (random: (bytes: number) => Uint8Array): string[] =>
    [5, 40, 1].map((n) => Buffer.from(random(n)).toString("hex"));

  it("are the same for every attempt in one process", () => {
    const randomOf = createJobRandom(key);
    expect(draw(randomOf("a"))).toEqual(draw(randomOf("a")));
  });

  it("differ between draws, jobs and processes", () => {
    const [five, forty, one] = draw(createJobRandom(key)("a"));
    expect([five?.length, forty?.length, one?.length]).toEqual([10, 80, 2]);
    expect(forty?.startsWith(five ?? "")).toBe(false);
    expect(draw(createJobRandom(key)("b"))[1]).not.toBe(forty);
    expect(draw(createJobRandom()("a"))[1]).not.toBe(draw(createJobRandom()("a"))[1]);
  });
});
