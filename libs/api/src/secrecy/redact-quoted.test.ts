import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { redactQuoted } from "./redact-quoted.ts";

describe("redactQuoted", () => {
  it.each([
    [
      "a text",
      'Secret "s" is invalid: metadata.labels: Invalid value: "a secret": must be a label',
      'Secret "s" is invalid: metadata.labels: Invalid value: [...]: must be a label',
    ],
    [
      "a text with escaped quotes",
      String.raw`x: Invalid value: "a \"secret\": b": must be short`,
      "x: Invalid value: [...]: must be short",
    ],
    [
      "a text that is not of its format, both times",
      'a: Invalid value: "a secret": a in body must be of type byte: "a secret"',
      "a: Invalid value: [...]: a in body must be of type byte: [...]",
    ],
    ["a text in back quotes", 'x: Invalid value: `a "secret`: must be short', "x: Invalid value: [...]: must be short"],
    [
      "a number",
      "spec.replicas: Invalid value: -5: must not be negative",
      "spec.replicas: Invalid value: [...]: must not be negative",
    ],
    [
      "a map in Go's form",
      'spec: Invalid value: map[string]interface {}{"a":"b: c", "d":[]string{"e", "f"}}: no',
      "spec: Invalid value: [...]: no",
    ],
    [
      "a struct in Go's form",
      'spec: Invalid value: core.PodSpec{Volumes:[]core.Volume(nil), Host:"x: y"}: field is immutable',
      "spec: Invalid value: [...]: field is immutable",
    ],
    [
      "an object in JSON",
      'spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable',
      "spec.selector: Invalid value: [...]: field is immutable",
    ],
    [
      "an unsupported value, but not those that are supported",
      'spec.type: Unsupported value: "a secret": supported values: "ClusterIP", "NodePort"',
      'spec.type: Unsupported value: [...]: supported values: "ClusterIP", "NodePort"',
    ],
    ["a duplicate at the end", 'spec.ports[1]: Duplicate value: "a secret"', "spec.ports[1]: Duplicate value: [...]"],
    ["a value that was not found", 'spec.volume: Not found: "a secret"', "spec.volume: Not found: [...]"],
    [
      "several values in one message",
      '[a: Invalid value: "x": no, b: Invalid value: 7: no, c: Duplicate value: "y", d: Required value]',
      "[a: Invalid value: [...]: no, b: Invalid value: [...]: no, c: Duplicate value: [...], d: Required value]",
    ],
    [
      "a bare value at the end of a list",
      "[a: Duplicate value: 7, b: Duplicate value: 8]",
      "[a: Duplicate value: [...], b: Duplicate value: [...]]",
    ],
    [
      "a message within quotes",
      String.raw`{"message":"a: Invalid value: \"se\\\"cret\": no"}`,
      String.raw`{"message":"a: Invalid value: [...]: no"}`,
    ],
    [
      "a number that cannot be decoded",
      "json: cannot unmarshal number 1234567.5 into Go struct field X.a of type int32",
      "json: cannot unmarshal number [...] into Go struct field X.a of type int32",
    ],
    [
      "no word where the decoder quotes no number",
      "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
      "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
    ],
    [
      "a text that cannot be decoded from YAML",
      "yaml: unmarshal errors: line 1: cannot unmarshal !!str `a secret` into int",
      "yaml: unmarshal errors: line 1: cannot unmarshal !!str [...] into int",
    ],
    [
      "a time that cannot be read",
      'parsing time "a secret" as "2006-01-02": cannot parse "a secret" as "2006"',
      'parsing time [...] as "2006-01-02": cannot parse [...] as "2006"',
    ],
    [
      "a number that cannot be read",
      'strconv.ParseInt: parsing "a secret": invalid syntax',
      "strconv.ParseInt: parsing [...]: invalid syntax",
    ],
    [
      "a value of a typed patch",
      "failed to create typed patch object: .data.a: expected string, got &value.valueUnstructured{Value:12345}",
      "failed to create typed patch object: .data.a: expected string, got [...]",
    ],
    ["an end that is cut off", 'a: Invalid value: "a secr', "a: Invalid value: [...]"],
  ])("masks %s", (_, message, want) => {
    expect(redactQuoted(message)).toBe(want);
  });

  it.each([
    'configmaps "my-config" not found',
    'Installation.landscaper.gardener.cloud "a" is invalid: spec.blueprint: Required value',
    'DeployItem "a" is invalid: spec: Invalid value: "object": spec.type: must not change',
    'a: Invalid value: "string": a in body must be of type integer: "string"',
    "json: cannot unmarshal string into Go struct field X.a of type int",
    'a: Forbidden: may not be set, got "x"',
    'strict decoding error: unknown field "spec.foo"',
    "got an invalid value: parsing stopped",
    "",
  ])("leaves %p as it is", (message) => {
    expect(redactQuoted(message)).toBe(message);
  });

  it("masks any text that the API server quotes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (value) => {
        fc.pre(!/^(object|array|string|integer|number|boolean|null)$/.test(value));
        expect(redactQuoted(`a.b: Invalid value: ${JSON.stringify(value)}: must be short`)).toBe(
          "a.b: Invalid value: [...]: must be short",
        );
      }),
    );
  });
});

describe("a value that redactQuoted is told to show", () => {
  const fields: (string | undefined)[] = [];
  const isHidden = (field: string | undefined): boolean => {
    fields.push(field);
    return field !== "spec.a[0].b" && field !== "data[k.e/y z]";
  };

  it.each([
    ["is shown by its field", 'X "x" is invalid: spec.a[0].b: Invalid value: "v": no', ["spec.a[0].b", undefined]],
    ["also when its key has special characters", '[data[k.e/y z]: Duplicate value: "v"]', ["data[k.e/y z]", undefined]],
  ])("%s", (_, message, want) => {
    fields.length = 0;
    expect(redactQuoted(message, isHidden)).toBe(message);
    expect(fields).toEqual(want);
  });

  it("stands beside those that are masked", () => {
    expect(redactQuoted('[c: Invalid value: "w": no, spec.a[0].b: Invalid value: "v": no]', isHidden)).toBe(
      '[c: Invalid value: [...]: no, spec.a[0].b: Invalid value: "v": no]',
    );
  });

  it("is all that decoders quote, where nothing is hidden", () => {
    const message = 'cannot unmarshal number 7 into Go struct field X.a: parsing "v"';
    expect(redactQuoted(message, () => false)).toBe(message);
    expect(redactQuoted(message)).toBe("cannot unmarshal number [...] into Go struct field X.a: parsing [...]");
  });
});
