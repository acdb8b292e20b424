import { describe, expect, it } from "@jest/globals";
import { SourceCache } from "./document/source-cache.ts";
import type { Source } from "./document/source.ts";
import { createSpiff, SpiffCache, SpiffError } from "./index.ts";

const template = (text: string): { readonly template: { readonly name: string; readonly text: string } } => ({
  template: { name: "t", text },
});

describe("SpiffCache", () => {
  it("gives the values of each run, not those of another", () => {
    const cache = new SpiffCache();
    const text = "a: (( x ))\nlist: [1, {b: 2}]\nstate: (( &state(x) ))\n";
    const results = [1, 2, 1].map((x) => createSpiff({ cache }).merge({ ...template(text), bindings: { x } }).output);
    const expected = [1, 2, 1].map((x) => ({ a: x, list: [1, { b: 2 }], state: x }));
    expect(results).toEqual(expected);
  });

  it("is not changed by who changes a result", () => {
    const cache = new SpiffCache();
    const run = (): { list: unknown[]; map: Record<string, unknown> } =>
      createSpiff({ cache }).merge(template("list: [1, 2]\nmap: {a: 1}\n")).output as never; // the shape of the template
    const first = run();
    first.list.push(3);
    first.map["b"] = 2;
    expect(run()).toEqual({ list: [1, 2], map: { a: 1 } });
  });

  it("keeps texts apart that stubs override", () => {
    const spiff = createSpiff();
    const stub = { name: "s", text: "a: {b: 2}\nlist: [{name: x, v: 2}]\n" };
    const text = "a: {b: 1}\nlist: [{name: x, v: 1}]\n";
    const plain = { a: { b: 1 }, list: [{ name: "x", v: 1 }] };
    expect(spiff.merge(template(text)).output).toEqual(plain);
    expect(spiff.merge({ ...template(text), stubs: [stub] }).output).toEqual({
      a: { b: 2 },
      list: [{ name: "x", v: 2 }],
    });
    expect(spiff.merge(template(text)).output).toEqual(plain);
  });

  it("tells features apart, in which a text has another meaning", () => {
    const spiff = createSpiff();
    const text = 'a: "x (( 1 + 1 ))"\n';
    const outputs = [[], ["interpolation"], []].map(
      (features) => spiff.merge({ ...template(text), features: features as ("interpolation" | "control")[] }).output,
    );
    expect(outputs).toEqual([{ a: "x (( 1 + 1 ))" }, { a: "x 2" }, { a: "x (( 1 + 1 ))" }]);
  });

  it("names the document of each run in errors", () => {
    const spiff = createSpiff();
    const fail = (name: string): string => {
      try {
        spiff.merge({ template: { name, text: "a: (( nope ))" } });
      } catch (error) {
        if (error instanceof SpiffError) return error.message;
      }
      return "no error";
    };
    expect(fail("first")).toContain("in first");
    expect(fail("second")).toContain("in second");
  });
});

describe("SourceCache", () => {
  const source: Source = { kind: "scalar", value: 1n, markers: undefined };
  const text = (char: string, length = 400_000): string => char.repeat(length);

  it("drops what was not asked for longest", () => {
    const cache = new SourceCache();
    for (const char of "abcde") cache.set(text(char), source);
    expect(cache.get(text("a"))).toBe(source);
    cache.set(text("f"), source);
    expect(["a", "b", "c", "d", "e", "f"].filter((char) => cache.get(text(char)) !== undefined)).toEqual([
      "a",
      "c",
      "d",
      "e",
      "f",
    ]);
  });

  it("does not keep very long texts", () => {
    const cache = new SourceCache();
    cache.set(text("a", 500_001), source);
    expect(cache.get(text("a", 500_001))).toBeUndefined();
  });
});
