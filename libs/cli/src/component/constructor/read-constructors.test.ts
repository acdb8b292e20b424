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
});
