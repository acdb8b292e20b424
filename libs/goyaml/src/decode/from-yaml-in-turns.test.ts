import { describe, expect, it } from "@jest/globals";
import { fromYaml, fromYamlInTurns } from "./from-yaml.ts";

async function read(text: string, maxValues = 10_000): Promise<{ readonly value: unknown; readonly turns: number }> {
  let turns = 0;
  const breathe = async (): Promise<void> => {
    turns++;
    await Promise.resolve();
  };
  return { value: await fromYamlInTurns(text, { breathe, maxValues }), turns };
}

const keys = (count: number): string =>
  Array.from({ length: count }, (_, index) => `k${index}: [v, {a: 1}]\n`).join("");

describe("fromYamlInTurns", () => {
  it.each([
    ["nothing", ""],
    ["a map", "a: 1\nb: [x, y]\n"],
    ["a large map", keys(1000)],
    ["aliases", "a: &x [1, 2]\nb: *x\n"],
  ])("gives the value that fromYaml gives for %s", async (_, text) => {
    expect((await read(text)).value).toEqual(fromYaml(text));
  });

  it("gives others turns in a long document", async () => {
    expect((await read("a: 1")).turns).toBe(0);
    expect((await read(keys(1000))).turns).toBeGreaterThanOrEqual(5);
  });

  it.each([
    ["a list", `[${"[],".repeat(6000)}]`],
    ["a map", keys(2000)],
    ["aliases", `a: &a [${"1,".repeat(90)}]\nb: &b [${"*a,".repeat(90)}]\nc: 1\n`],
  ])("refuses too many values in %s", async (_, text) => {
    await expect(read(text, 5000)).rejects.toThrow(
      "error converting YAML to JSON: yaml: document has more than 5000 values",
    );
  });

  it("fails as fromYaml does", async () => {
    const text = "a: [1\nb: 2\n";
    const problem = "error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'";
    expect(() => fromYaml(text)).toThrow(problem);
    await expect(read(text)).rejects.toThrow(problem);
  });
});
