import { describe, expect, it } from "@jest/globals";
import { parseQuery, parseUrl, portOf, unescapeUserinfo } from "./go-url.ts";

describe("parseQuery", () => {
  it.each<[string, Record<string, string[]>]>([
    ["", {}],
    ["a=1&b=2&a=3", { a: ["1", "3"], b: ["2"] }],
    ["a", { a: [""] }],
    ["=x", { "": ["x"] }],
    ["a=b=c", { a: ["b=c"] }],
    ["a+b=c+d&%C3%A9=%26", { "a b": ["c d"], é: ["&"] }],
    ["a=1;b=2&c=3", { c: ["3"] }],
    ["a=%zz&b=1", { b: ["1"] }],
    ["&&a=1&", { a: ["1"] }],
  ])("reads %j", (query, expected) => {
    expect(Object.fromEntries(parseQuery(query))).toEqual(expected);
  });
});

describe("parts of an authority", () => {
  it.each([
    ["http://h:80/", "80", undefined],
    ["http://h/", "", undefined],
    ["http://[::1]:8/", "8", undefined],
    ["http://u%40:p@h", "", "u@"],
  ])("of %s", (text, port, user) => {
    const { host, userinfo } = parseUrl(text);
    const name = userinfo?.split(":")[0];
    expect([portOf(host), name === undefined ? undefined : unescapeUserinfo(name)]).toEqual([port, user]);
  });
});
