import { describe, expect, it } from "@jest/globals";
import { createDirectWriter } from "./direct-writer.ts";

/** Writes texts to a destination that accepts `capacity` bytes, at most three at a time. Returns the texts that are written at once and later. */
function writeTo(capacity: number, ...texts: readonly string[]): { now: string; later: string[]; done: number } {
  const result = { now: "", later: new Array<string>(), done: 0 };
  const write = createDirectWriter({
    writeNow: (bytes) => {
      const count = Math.min(bytes.length, 3, capacity - result.now.length);
      if (count === 0) throw new Error("EAGAIN");
      result.now += Buffer.from(bytes.subarray(0, count)).toString();
      return count;
    },
    writeLater: (bytes, done) => {
      result.later.push(Buffer.from(bytes).toString());
      done?.();
    },
  });
  for (const text of texts) write(Buffer.from(text), () => result.done++);
  return result;
}

describe("createDirectWriter", () => {
  it("writes at once if the destination accepts everything", () => {
    expect(writeTo(100, "one and ", "two")).toEqual({ now: "one and two", later: [], done: 2 });
  });

  it("writes the rest later, in order, after the destination has refused bytes", () => {
    expect(writeTo(5, "one and ", "two")).toEqual({ now: "one a", later: ["nd ", "two"], done: 2 });
  });

  it("reports empty texts as written", () => {
    expect(writeTo(0, "")).toEqual({ now: "", later: [], done: 1 });
  });
});
