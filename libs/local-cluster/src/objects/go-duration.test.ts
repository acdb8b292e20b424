import { describe, expect, it } from "@jest/globals";
import { readGoDuration } from "./go-duration.ts";

describe("readGoDuration", () => {
  it.each<[text: string, nanoseconds: bigint]>([
    ["0", 0n],
    ["-0", 0n],
    ["1h30m", 5_400_000_000_000n],
    ["-1.5s", -1_500_000_000n],
    ["+.5h", 1_800_000_000_000n],
    ["1.h", 3_600_000_000_000n],
    ["1us1µs1μs1ns", 3001n],
    ["00h00m", 0n],
    ["9223372036854775807ns", 2n ** 63n - 1n],
    ["-9223372036854775808ns", -(2n ** 63n)],
    [`${"0".repeat(50)}1ns`, 1n],
    [`0.${"9".repeat(50)}h`, 3_599_999_999_999n],
  ])("reads %s", (text, nanoseconds) => {
    expect(readGoDuration(text)).toEqual({ nanoseconds });
  });

  // Recorded from a real kube-apiserver.
  it.each<[text: string, problem: string]>([
    ["", 'time: invalid duration ""'],
    ["-", 'time: invalid duration "-"'],
    [".h", 'time: invalid duration ".h"'],
    [" 1h", 'time: invalid duration " 1h"'],
    ["1", 'time: missing unit in duration "1"'],
    ["1.2.3h", 'time: missing unit in duration "1.2.3h"'],
    ["1d", 'time: unknown unit "d" in duration "1d"'],
    ["1h-1m", 'time: unknown unit "h-" in duration "1h-1m"'],
    ["1h\n", String.raw`time: unknown unit "h\x0a" in duration "1h\x0a"`],
    ["1éh", String.raw`time: unknown unit "\xc3\xa9h" in duration "1\xc3\xa9h"`],
    ["99999999999999999999h", 'time: invalid duration "99999999999999999999h"'],
    ["2562047h48m", 'time: invalid duration "2562047h48m"'],
    ["-9223372036854775809ns", 'time: invalid duration "-9223372036854775809ns"'],
  ])("refuses %j", (text, problem) => {
    expect(readGoDuration(text)).toEqual({ problem });
  });

  it("reads a million zeros with units, and the same with a wrong end", () => {
    const zeros = "00h".repeat(1_000_000);
    expect(readGoDuration(zeros)).toEqual({ nanoseconds: 0n });
    expect(readGoDuration(`${zeros}x`)).toMatchObject({ problem: expect.stringMatching(/^time: unknown unit "hx"/) });
  });
});
