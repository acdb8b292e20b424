import { describe, expect, it } from "@jest/globals";
import { UsageError } from "../../usage-error.ts";
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

  it.each<[Templater]>([["none"], ["subst"], ["go"], ["spiff"]])(
    "reads plain scalars as YAML 1.2 with the templater %s",
    (templater) => {
      const text = "name: example.com/app\nversion: 1.0.0\nprovider: acme\nlabels: [{ name: on, value: yes }]\n";
      const options = { templater, settings: {}, version: undefined, warn: () => undefined };
      expect(readConstructors({ name: "file", text }, options)).toMatchObject([
        { labels: [{ name: "on", value: "yes" }] },
      ]);
    },
  );

  it.each([
    [
      "{{ .MISSING }}",
      'template: file:4:31: executing "file" at <.MISSING>: map has no entry for key "MISSING". Give the variable a value: MISSING=VALUE, --settings FILE or --addenv',
    ],
    [
      "{{ .map.gone }}",
      'template: file:4:35: executing "file" at <.map.gone>: map has no entry for key "gone". Add gone to the map, in the file of --settings',
    ],
  ])("refuses the Go template %s, whose variable has no value", (value, message) => {
    const text = `name: example.com/app\nversion: 1.0.0\nprovider: acme\nlabels: [{ name: id, value: ${value} }]\n`;
    const settings = { map: {} };
    const options = { templater: "go", settings, version: undefined, warn: () => undefined } as const;
    expect(() => readConstructors({ name: "file", text }, options)).toThrow(new UsageError(message));
  });

  it.each([
    ["a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", 5, '"c", which line 3 has, too'],
    ["b: {on: 1, 'on': 2}\n", 1, '"on", which line 1 has, too'],
    ["---\na: 1\n---\n1: 1\n2: 2\n1: 1\n", 6, '"1", which line 4 has, too'],
  ])("names key and line of a key that a map has twice: %j", (text, line, found) => {
    const options = { templater: "none", settings: {}, version: undefined, warn: () => undefined } as const;
    expect(() => readConstructors({ name: "file", text }, options)).toThrow(
      new UsageError(
        `file: line ${line}: expected each key of a map once, found a second time the key ${found}. Remove one of them`,
      ),
    );
  });

  it("reports the errors of all documents at once", () => {
    const options = { templater: "none", settings: {}, version: undefined, warn: () => undefined } as const;
    const text = "name: example.com/app\n---\nname: example.com/other\nversion: 1.0.0\nprovider: a\nextra: 1\n";
    expect(() => readConstructors({ name: "file", text }, options)).toThrow(
      /^file, document 1: .*version: required field is missing\nfile, document 1: .*provider: required field is missing\nfile, document 2: .*extra: unknown field$/,
    );
  });
});
