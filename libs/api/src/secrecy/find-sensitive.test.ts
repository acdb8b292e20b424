import { describe, expect, it } from "@jest/globals";
import { findSensitive, findSensitiveInTurns } from "./find-sensitive.ts";

describe("findSensitive", () => {
  it.each([
    ["leaves that are secrets", { a: "hunter2x", b: ["plain", "with hunter2x in it"] }, ["/a", "/b/1"]],
    ["numbers", { pin: 123_456 }, ["/pin"]],
    ["encoded secrets", { a: Buffer.from("hunter2x").toString("base64") }, ["/a"]],
    ["a text by itself", "hunter2x", [""]],
    ["nothing else", { a: "plain", b: null, c: true }, []],
  ])("finds %s", (_, value, want) => {
    expect(findSensitive(value, ["hunter2x", { n: 123_456 }])).toEqual(want);
  });

  it("takes the secrets apart once, however many values there are", () => {
    let reads = 0;
    const secret = {
      get password() {
        reads++;
        return "hunter2x";
      },
    };
    const value = Array.from({ length: 100 }, (_, index) => `plain ${index}`);
    expect(findSensitive(["hunter2x", ...value], [secret])).toEqual(["/0"]);
    expect(reads).toBe(1);
  });

  it("gives others turns when there are many secrets", async () => {
    let turns = 0;
    const breathe = async (): Promise<void> => {
      turns++;
      await Promise.resolve();
    };
    const secrets = Array.from({ length: 1000 }, (_, index) => `secret number ${index}`);
    const value = { a: "plain", b: ["with secret number 7 in it"] };
    expect(await findSensitiveInTurns(value, secrets, breathe)).toEqual(findSensitive(value, secrets));
    expect(turns).toBeGreaterThan(50);
  });

  it("finds nothing where nothing is secret", () => {
    expect(findSensitive({ a: "x" }, [])).toEqual([]);
  });
});
