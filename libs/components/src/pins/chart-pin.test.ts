// What a deployer reads of an annotation that anybody who may write DeployItems can have written.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { parseChartPin } from "./component-pins.ts";

function failureOf(text: string): LandscaperError {
  try {
    parseChartPin(text);
  } catch (error) {
    if (error instanceof LandscaperError) return error;
    throw error;
  }
  throw new Error("it was read");
}

const notJson = "expected a JSON object, or gzip: and the base64 of one, of at most 131072 bytes";
const fields = "expected component, descriptor, manifest, blueprint, repository (an object) and digest (of a resource)";
const noDigest = "expected a digest such as sha256:... in hex";
const nested = (levels: number): string =>
  `{"component":"a:1","repository":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`;

describe("the pin of a chart", () => {
  it("is absent without an annotation", () => {
    expect(parseChartPin(undefined)).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ["empty", "", notJson],
    ["no JSON", "{", notJson],
    ["a list", "[]", notJson],
    ["not packed with gzip", "gzip:AAAA", notJson],
    ["too large", JSON.stringify({ component: "x".repeat(131_072) }), notJson],
    [
      "too large once it is unpacked",
      `gzip:${gzipSync(Buffer.alloc(16 * 1024 ** 2, " ")).toString("base64")}`,
      notJson,
    ],
    ["of an unknown field", '{"descripter":"x"}', `"descripter": ${fields}`],
    ["of an inherited field", '{"toString":"x"}', `"toString": ${fields}`],
    ["of a long unknown field", JSON.stringify({ ["x".repeat(100)]: 1 }), `"${"x".repeat(40)}": ${fields}`],
    ["of a field of another type", '{"manifest":1}', `"manifest": ${fields}`],
    ["of half a digest", '{"component":"a:1","digest":{"value":"x"}}', `"digest": ${fields}`],
    ["of a descriptor that is no digest", '{"component":"a:1","descriptor":"x"}', `descriptor: ${noDigest}`],
    ["of a manifest that is no digest", JSON.stringify({ manifest: "x".repeat(9999) }), `manifest: ${noDigest}`],
    [
      "of a repository alone",
      '{"repository":{"type":"local"}}',
      "component: expected the component that descriptor, repository and digest are of",
    ],
    ["nested without end", nested(15_000), "repository: nested more than 100 levels deep"],
    ["nested too deep", nested(101), "repository: nested more than 100 levels deep"],
  ])("is refused when it is %s", (_title, text, problem) => {
    expect(failureOf(text)).toMatchObject({
      reason: "InvalidComponent",
      retry: "never",
      message: `annotation landscaper.gardener.cloud/component-pins: ${problem}`,
    });
  });

  it("may have a repository of folders in folders", () => {
    expect(parseChartPin(nested(100))?.repository).toBeDefined();
  });
});
