import { describe, expect, it } from "@jest/globals";
import { readConstructors, type Templater } from "./read-constructors.ts";

describe("readConstructors", () => {
  it.each<[Templater, string]>([
    ["none", "9007199254740993"],
    ["subst", "${id}"],
    ["go", "{{ .id }}"],
    ["spiff", "(( values.id ))"],
  ])("keeps all digits of integers with the templater %s", (templater, value) => {
    const text = `name: example.com/app\nversion: 1.0.0\nprovider: acme\nlabels: [{ name: id, value: ${value} }]\n`;
    const settings = { id: 9007199254740993n };
    const options = { templater, settings, version: undefined, warn: () => undefined };
    expect(readConstructors({ name: "file", text }, options)).toMatchObject([
      { labels: [{ name: "id", value: 9007199254740993n }] },
    ]);
  });

  it("reports the errors of all documents at once", () => {
    const options = { templater: "none", settings: {}, version: undefined, warn: () => undefined } as const;
    const text = "name: example.com/app\n---\nname: example.com/other\nversion: 1.0.0\nprovider: a\nextra: 1\n";
    expect(() => readConstructors({ name: "file", text }, options)).toThrow(
      /^file, document 1: .*version: required field is missing\nfile, document 1: .*provider: required field is missing\nfile, document 2: .*extra: unknown field$/,
    );
  });
});
