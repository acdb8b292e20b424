import { inspect } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { Sensitive } from "./sensitive.ts";

describe("Sensitive", () => {
  const token = new Sensitive("a secret token");

  it("gives its value to who asks for it", () => {
    expect(token.reveal()).toBe("a secret token");
  });

  it.each([
    ["as text", String(token)],
    ["in JSON", JSON.stringify({ token })],
    ["when inspected", inspect({ token }, { showHidden: true, depth: 10 })],
    ["when copied", inspect(Object.assign({}, token))],
  ])("does not show it %s", (_, text) => {
    expect(text).not.toContain("a secret token");
  });

  it("shows three stars instead", () => {
    expect(String(token)).toBe("***");
    expect(JSON.stringify({ token })).toBe('{"token":"***"}');
    expect(inspect(token)).toBe("***");
  });
});
