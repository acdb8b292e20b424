import { describe, expect, it } from "@jest/globals";
import { matchesLabels, parseLabelSelector } from "./label-selector.ts";

const labels = { app: "web", tier: "front", "example.com/empty": "" };

describe("label selectors", () => {
  it.each([
    ["", true],
    ["app=web", true],
    ["app==web", true],
    ["app = web , tier=front", true],
    ["app=db", false],
    ["other=web", false],
    ["app!=db", true],
    ["app!=web", false],
    ["other!=web", true],
    ["app in (db, web)", true],
    ["app in (db)", false],
    ["other in (db)", false],
    ["app notin (db)", true],
    ["app notin (web,db)", false],
    ["other notin (web)", true],
    ["app", true],
    ["other", false],
    ["!other", true],
    ["! app", false],
    ["example.com/empty", true],
    ["example.com/empty=", true],
    ["app=web,tier in (front,back),!other", true],
    ["app=web,tier in (back)", false],
  ])('"%s" matches: %p', (text, want) => {
    expect(matchesLabels(parseLabelSelector(text), labels)).toBe(want);
  });

  it("matches an object without labels only by absence", () => {
    expect(matchesLabels(parseLabelSelector("a!=b,!c"), undefined)).toBe(true);
    expect(matchesLabels(parseLabelSelector("a"), undefined)).toBe(false);
  });

  it.each(["a>1", "a in b", "=x", "a=b=c"])("refuses %s", (text) => {
    expect(() => parseLabelSelector(text)).toThrow(new TypeError(`label selector: "${text}" is no requirement`));
  });
});
