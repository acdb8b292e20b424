import { describe, expect, it } from "@jest/globals";
import { noteWarnings, presentFieldValidation, withFieldValidation } from "./field-validation.ts";

describe("warnings of API servers", () => {
  it.each<readonly [readonly string[], readonly string[]]>([
    [[], []],
    [['299 - "unknown field \\"spec.replica\\""'], ['unknown field "spec.replica"']],
    [
      ['299 - "one", 299 kube "two, and \\\\more"', '299 - ""'],
      ["one", "two, and \\more", ""],
    ],
    [["199 - other", "299 - unquoted"], []],
  ])("are read from %j", async (headers, expected) => {
    const heard: string[] = [];
    const onWarning = (text: string): void => void heard.push(text);
    await withFieldValidation({ fieldValidation: "Warn", onWarning }, async () => {
      await Promise.resolve();
      expect(presentFieldValidation()).toBe("Warn");
      noteWarnings(headers);
    });
    expect(heard).toEqual(expected);
  });

  it("are not asked for where nobody hears them", () => {
    expect(presentFieldValidation()).toBe("Ignore");
    expect(() => noteWarnings(['299 - "x"'])).not.toThrow();
  });
});
