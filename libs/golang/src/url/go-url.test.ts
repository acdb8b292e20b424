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

describe("hosts with several colons", () => {
  const outcome = (text: string): string => {
    try {
      return parseUrl(text).host;
    } catch (error) {
      return String(error instanceof Error ? error.message : error);
    }
  };

  it.each([
    ["http://a:1:2/", 'parse "http://a:1:2/": invalid port ":1:2" after host'],
    ["https://a::2/", 'parse "https://a::2/": invalid port "::2" after host'],
    ["HTTP://a:b:2/", 'parse "HTTP://a:b:2/": invalid port ":b:2" after host'],
    ["http://u:p@a:1:2", 'parse "http://u:p@a:1:2": invalid port ":1:2" after host'],
    ["postgres://a:1,b:2/db", "a:1,b:2"],
    ["postgres://a:1,b:x/db", 'parse "postgres://a:1,b:x/db": invalid port ":x" after host'],
    ["//a:1:2/", "a:1:2"],
    ["http://a:/", "a:"],
    ["http://[::1]:2/", "[::1]:2"],
  ])("are taken in %s as in Go", (text, want) => {
    expect(outcome(text)).toBe(want);
  });
});
