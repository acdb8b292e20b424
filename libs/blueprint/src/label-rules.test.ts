import { describe, expect, it } from "@jest/globals";
import { labelKeyProblem, labelValueProblem, nearestObjectName, objectNameProblem } from "./label-rules.ts";

const charset = "must have only letters, digits, -, _ and ., with a letter or digit at both ends";

describe("label rules", () => {
  it.each([
    ["", undefined],
    ["a", undefined],
    ["A-b_c.9", undefined],
    ["a".repeat(63), undefined],
    ["a".repeat(64), "must have at most 63 characters"],
    ["-a", charset],
    ["a.", charset],
    ["a b", charset],
    ["é", charset],
  ])("judges the value %j", (value, problem) => {
    expect(labelValueProblem(value)).toBe(problem);
  });

  const nameCharset = "must have only letters, digits, -, _ and . in its name, with a letter or digit at both ends";
  it.each([
    ["a", undefined],
    ["app.kubernetes.io/name", undefined],
    ["", nameCharset],
    ["x/", nameCharset],
    ["x/-a", nameCharset],
    ["UPPER.io/a", "must have a DNS name before the /"],
    ["/a", "must have a DNS name before the /"],
    [`x/${"a".repeat(64)}`, "must have at most 63 characters in its name"],
  ])("judges the key %j", (key, problem) => {
    expect(labelKeyProblem(key)).toBe(problem);
  });

  const objectCharset = "must have only lower case letters, digits, - and ., with a letter or digit at both ends";
  it.each([
    ["a", undefined, "a"],
    ["web-1.shop", undefined, "web-1.shop"],
    ["Web_Server", objectCharset, "web-server"],
    ["-web-", objectCharset, "web"],
    ["two words", objectCharset, "two-words"],
    ["a-.b..c", objectCharset, "a.b.c"],
    ["", objectCharset, undefined],
    ["_._", objectCharset, undefined],
    [`${"a".repeat(62)}_b`, "must have at most 63 characters", "a".repeat(62)],
  ])("judges the name %j of an object", (name, problem, nearest) => {
    expect({ problem: objectNameProblem(name), nearest: nearestObjectName(name) }).toEqual({ problem, nearest });
  });

  it("suggests names without a problem", () => {
    for (const name of ["Web_Server", "ÄÖ1", "a.-.b", `${"a".repeat(62)}.b`]) {
      expect(objectNameProblem(nearestObjectName(name) ?? "")).toBeUndefined();
    }
  });
});
