import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { maskTexts, minInnerLength } from "./mask-texts.ts";
import { redactLeaves, redactMessage, redactTexts } from "./redaction.ts";

/** What is to be masked, character by character: slow, and simple. */
function covered(message: string, texts: readonly string[]): boolean[] {
  const result = Array.from(message, () => false);
  const cover = (text: string, isWhole: (start: number, end: number) => boolean): void => {
    for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
      if (isWhole(at, at + text.length)) result.fill(true, at, at + text.length);
    }
  };
  for (const text of texts) if (text.length >= minInnerLength) cover(text, () => true);
  const long = [...result];
  const isBeside = (at: number): boolean => /[A-Za-z0-9]/.test(message.charAt(at)) && long[at] !== true;
  for (const text of texts) {
    if (text.length < minInnerLength) cover(text, (start, end) => !isBeside(start - 1) && !isBeside(end));
  }
  return result;
}

it("masks exactly what a search for each text covers", () => {
  const letter = fc.constantFrom("a", "b", "-");
  const text = fc.string({ unit: letter, minLength: 4, maxLength: 12 });
  fc.assert(
    fc.property(fc.string({ unit: letter, maxLength: 60 }), fc.array(text, { maxLength: 6 }), (message, texts) => {
      const [masked = ""] = maskTexts([message], texts, { mask: "#" });
      const flags = covered(message, texts);
      const shown = Array.from(message)
        .filter((_, i) => flags[i] !== true)
        .join("");
      expect(masked.replaceAll("#", "")).toBe(shown);
    }),
    { seed: 5, numRuns: 2000 },
  );
});

describe("masking takes time by the length of message and secrets, not by their product", () => {
  it("masks thousands of secrets, all with one beginning, in a long message", () => {
    const secrets = Array.from({ length: 1000 }, (_, i) => `${"secret".repeat(5)}-${i}-`);
    const message = secrets.join(" ").repeat(5);
    expect(redactLeaves(message, secrets).replaceAll("[...] ", "")).toMatch(/^(?:\[\.\.\.\]|s\w*|)*$/);
  });

  it("masks 5000 texts with 2000 secrets", () => {
    const secrets = Array.from({ length: 2000 }, (_, i) => `secret-value-${i}-`);
    const messages = Array.from({ length: 5000 }, (_, i) => `a: secret-value-${i % 2000}-`);
    expect(new Set(redactTexts(messages, secrets))).toEqual(new Set(["a: [...]"]));
  });

  it("shows nothing of messages that consist of more secrets than can be looked for", () => {
    const secret = Array.from({ length: 30_000 }, (_, i) => String(i)).join("");
    expect(maskTexts([secret, "other"], [secret.slice(1), secret.slice(2)], { mask: "#" })).toEqual(["#", "#"]);
  });
});

describe("a message that is too long to be shown", () => {
  it("is cut, and a secret at its end is masked", () => {
    const secret = "S3NTINEL".repeat(2000);
    const message = `${"x ".repeat(16_000)}${secret}${" y".repeat(100_000)}`;
    expect(redactMessage(message, { secret })).toMatch(/^(?:x ){16000}(?:\[\.\.\.\])+\.\.\.$/);
  });

  it("shows nothing of a secret that does not end in it", () => {
    const secret = Array.from({ length: 20_000 }, (_, i) => String(i)).join("");
    const shown = redactMessage(`${"x ".repeat(12_000)}${secret}`, { secret });
    expect(shown.slice(24_000)).toMatch(/^(?:\[\.\.\.\])+\.\.\.$/);
  });
});

it("masks a secret that begins within the beginning of another one", () => {
  const secrets = ["aaaabbbbX", "aabbbbcc", "bbbbccdd"];
  expect(maskTexts(["aaaabbbbcc, aaaabbbbccdd"], secrets, { mask: "*" })).toEqual(["aa*, aa*"]);
});
