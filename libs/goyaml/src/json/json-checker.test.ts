import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { decodeBytes } from "../strings/decode-bytes.ts";
import { fromGoJson, JsonError } from "./from-go-json.ts";
import { goJson } from "./go-json.ts";

interface Case {
  readonly json?: string;
  /** Base64 of a text that is no UTF-8. */
  readonly jsonBytes?: string;
  /** JSON of the value. */
  readonly out?: string;
  readonly error?: string;
}

/** Made by Go's encoding/json from our texts. */
const cases = JSON.parse(readFileSync(join(import.meta.dirname, "../../testdata/from-json.json"), "utf8")) as Case[];

function textOf({ json, jsonBytes }: Case): string {
  if (jsonBytes === undefined) return json ?? "";
  return decodeBytes(Buffer.from(jsonBytes, "base64"), (byte) => String.fromCharCode(0xdc00 + byte));
}

function read(text: string): unknown {
  try {
    return goJson(fromGoJson(text));
  } catch (error) {
    return error;
  }
}

describe("JsonChecker", () => {
  it.each(cases.map((recorded) => [recorded.json ?? recorded.jsonBytes, recorded] as const))(
    "accepts or refuses %j as Go does",
    (_, recorded) => {
      const result = read(textOf(recorded));
      if (recorded.error === undefined) expect(result).toBe(recorded.out);
      else expect(result).toEqual(new JsonError(recorded.error));
    },
  );

  it.each([
    ["[".repeat(10_001), "invalid character '[' exceeded max depth"],
    ['{"a":'.repeat(10_001), "invalid character '{' exceeded max depth"],
    [`${"[".repeat(10_000)}x`, "invalid character 'x' looking for beginning of value"],
    ["[".repeat(10_000), "unexpected end of JSON input"],
  ])("goes as deep as Go (case %#)", (text, message) => {
    expect(read(text)).toEqual(new JsonError(message));
  });

  it("reads what is nested as deeply as Go allows", () => {
    let value = fromGoJson(`${"[".repeat(10_000)}7${"]".repeat(10_000)}`);
    let depth = 0;
    for (; Array.isArray(value); depth++) [value] = value;
    expect({ value, depth }).toEqual({ value: 7, depth: 10_000 });
  });

  it("gives what fits besides a number that is too large", () => {
    let error: unknown;
    try {
      fromGoJson('{"a":[1e999,2],"b":"1e999","c":-1e400}');
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ value: { a: [null, 2], b: "1e999", c: null } });
  });
});
