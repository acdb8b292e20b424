import { describe, expect, it } from "@jest/globals";
import { LandscaperError, type LandscaperErrorOptions } from "./error.ts";
import { createErrorCollector } from "./error-collector.ts";

const failure = (options: Partial<LandscaperErrorOptions> = {}): LandscaperError =>
  new LandscaperError({ message: "wrong", reason: "InvalidInput", retry: "never", ...options });

function collected(errors: readonly LandscaperError[]): LandscaperError {
  const collector = createErrorCollector();
  for (const error of errors) {
    collector.collect(() => {
      throw error;
    });
  }
  try {
    collector.throwAll();
  } catch (error) {
    if (error instanceof LandscaperError) return error;
  }
  throw new Error("expected a LandscaperError");
}

describe("createErrorCollector", () => {
  it("returns the results, and throws nothing if there are no errors", () => {
    const collector = createErrorCollector();
    expect(collector.collect(() => 1)).toEqual([1]);
    expect(() => collector.throwAll()).not.toThrow();
  });

  it("throws a single error unchanged", () => {
    const only = failure();
    expect(collected([only])).toBe(only);
  });

  it("does not catch errors other than LandscaperError", () => {
    const collector = createErrorCollector();
    expect(() =>
      collector.collect(() => {
        throw new TypeError("defect");
      }),
    ).toThrow(new TypeError("defect"));
  });

  it.each([
    [20, /^(?:wrong\n){19}wrong$/],
    [21, /^(?:wrong\n){20}and 1 more error$/],
    [22, /^(?:wrong\n){20}and 2 more errors$/],
  ])("shows 20 of %d errors, and counts the others", (count, message) => {
    expect(collected(Array.from({ length: count }, () => failure())).message).toMatch(message);
  });

  it("counts the members of collected errors", () => {
    const many = (count: number): LandscaperError => collected(Array.from({ length: count }, () => failure()));
    expect(collected([many(19), many(30)]).message).toMatch(/^(?:wrong\n){20}and 29 more errors$/);
  });

  it("keeps fields that are equal in all members", () => {
    const member = {
      reason: "InvalidComponent",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      operation: "Create",
      hint: "Correct it.",
      host: "registry.example",
      retry: "briefly",
    } as const;
    expect(collected([failure(member), failure({ ...member, message: "bad" })])).toMatchObject({
      ...member,
      message: "wrong\nbad",
    });
  });

  it("joins the codes, and appends each hint to its message, if members differ", () => {
    const cause = failure({ codes: ["ERR_TIMEOUT"] });
    const members = [
      failure({ reason: "InvalidComponent", codes: ["ERR_CONFIGURATION_PROBLEM"], hint: "Correct it." }),
      failure({ reason: "RegistryUnreachable", retry: "backoff", cause }),
    ];
    expect(collected(members)).toMatchObject({
      message: "wrong; Correct it.\nwrong",
      reason: "InvalidInput",
      codes: ["ERR_CONFIGURATION_PROBLEM", "ERR_TIMEOUT"],
      hint: undefined,
      retry: "never",
    });
  });
});
