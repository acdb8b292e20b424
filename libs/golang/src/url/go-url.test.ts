import { describe, expect, it } from "@jest/globals";
import { FunctionError } from "../function-error.ts";
import { formatUrl, hostnameOf, parseQuery, parseUrl, portOf, unescapeUserinfo, type GoUrl } from "./go-url.ts";

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

describe("parseUrl and formatUrl", () => {
  const empty = { scheme: "", opaque: "", userinfo: undefined, host: "", path: "", query: "", fragment: "" };

  // What net/url of Go 1.26 says, without the fields RawPath, RawFragment, OmitHost and ForceQuery.
  it.each<[text: string, parts: Partial<GoUrl>, formatted: string]>([
    [
      "https://user:pa%3Ass@host.example:8080/a%2Fb c/?q=1?2&r#frag#ment é",
      {
        scheme: "https",
        userinfo: "user:pa%3Ass",
        host: "host.example:8080",
        path: "/a/b c/",
        query: "q=1?2&r",
        fragment: "frag#ment é",
      },
      "https://user:pa%3Ass@host.example:8080/a/b%20c/?q=1?2&r#frag%23ment%20%C3%A9",
    ],
    ["HTTP://h?x", { scheme: "http", host: "h", query: "x" }, "http://h?x"],
    ["//h/p", { host: "h", path: "/p" }, "//h/p"],
    ["///a//b", { path: "///a//b" }, "///a//b"],
    ["x:///a", { scheme: "x", path: "/a" }, "x:///a"],
    ["mailto:a@b.c?subject=1", { scheme: "mailto", opaque: "a@b.c", query: "subject=1" }, "mailto:a@b.c?subject=1"],
    ["/a:b/c", { path: "/a:b/c" }, "/a:b/c"],
    ["a/b:c", { path: "a/b:c" }, "a/b:c"],
    ["a:b/c", { scheme: "a", opaque: "b/c" }, "a:b/c"],
    ["b:", { scheme: "b" }, "b:"],
    ["*", { path: "*" }, "*"],
    ["*?a", { path: "*", query: "a" }, "*?a"],
    ["", {}, ""],
    ["?q", { query: "q" }, "?q"],
    ["#f", { fragment: "f" }, "#f"],
    ["a#", { path: "a" }, "a"],
    ["a?", { path: "a" }, "a"],
    ["http://a@b@c/", { scheme: "http", userinfo: "a%40b", host: "c", path: "/" }, "http://a%40b@c/"],
    ["http://a:b:c@h/", { scheme: "http", userinfo: "a:b%3Ac", host: "h", path: "/" }, "http://a:b%3Ac@h/"],
    ["http://:p@h", { scheme: "http", userinfo: ":p", host: "h" }, "http://:p@h"],
    ["http://@h", { scheme: "http", userinfo: "", host: "h" }, "http://@h"],
    ["http://u@h", { scheme: "http", userinfo: "u", host: "h" }, "http://u@h"],
    ["http://é/", { scheme: "http", host: "é", path: "/" }, "http://%C3%A9/"],
    ["http://a%25b/", { scheme: "http", host: "a%b", path: "/" }, "http://a%25b/"],
    ["http://a%c3%a9/", { scheme: "http", host: "aé", path: "/" }, "http://a%C3%A9/"],
    ["http://a\u0080b/", { scheme: "http", host: "a\u0080b", path: "/" }, "http://a%C2%80b/"],
    ["http://[::1]", { scheme: "http", host: "[::1]" }, "http://[::1]"],
    ["http://]/", { scheme: "http", host: "]", path: "/" }, "http://]/"],
    ["http:a", { scheme: "http", opaque: "a" }, "http:a"],
    ["http:?q", { scheme: "http", query: "q" }, "http:?q"],
    ["http:/a", { scheme: "http", path: "/a" }, "http:///a"],
    ["a b", { path: "a b" }, "a%20b"],
    ['/é"<>', { path: '/é"<>' }, "/%C3%A9%22%3C%3E"],
    ["/a$&+,/:;=@!()*[]", { path: "/a$&+,/:;=@!()*[]" }, "/a$&+,/:;=@%21%28%29%2A%5B%5D"],
    ['#!()*é"[]?', { fragment: '!()*é"[]?' }, "#!()*%C3%A9%22%5B%5D?"],
    ["http://u%20x:p%20@h", { scheme: "http", userinfo: "u%20x:p%20", host: "h" }, "http://u%20x:p%20@h"],
    ["http://h/a/../b", { scheme: "http", host: "h", path: "/a/../b" }, "http://h/a/../b"],
    ["//", {}, ""],
    ["http://", { scheme: "http" }, "http:"],
    ["http:", { scheme: "http" }, "http:"],
    ["./a:b", { path: "./a:b" }, "./a:b"],
    ["%2Fa", { path: "/a" }, "/a"],
    ["a%3Ab/c", { path: "a:b/c" }, "./a:b/c"],
    ["http://a!$&'()*+,;=<>\"/", { scheme: "http", host: "a!$&'()*+,;=<>\"", path: "/" }, "http://a!$&'()*+,;=<>\"/"],
    ["x://u$&+,;=:p@h", { scheme: "x", userinfo: "u$&+,;=:p", host: "h" }, "x://u$&+,;=:p@h"],
    ["http://u/p@h", { scheme: "http", host: "u", path: "/p@h" }, "http://u/p@h"],
    ["/a%01", { path: "/a\u0001" }, "/a%01"],
    ["%41?%41#%41", { path: "A", query: "%41", fragment: "A" }, "A?%41#A"],
  ])("read and write %j as in Go", (text, parts, formatted) => {
    expect(parseUrl(text)).toEqual({ ...empty, ...parts });
    expect(formatUrl(parseUrl(text))).toBe(formatted);
  });

  it.each([
    ["1a:b", 'parse "1a:b": first path segment in URL cannot contain colon'],
    [":b", 'parse ":b": missing protocol scheme'],
    ["http://u[x]@h/", 'parse "http://u[x]@h/": net/url: invalid userinfo'],
    ["http://h%zz/", 'parse "http://h%zz/": invalid URL escape "%zz"'],
    ["/%zzabc", 'parse "/%zzabc": invalid URL escape "%zz"'],
    ["/%4", 'parse "/%4": invalid URL escape "%4"'],
    ["http://a b/", 'parse "http://a b/": invalid character " " in host name'],
    ["http://a\\b/", 'parse "http://a\\\\b/": invalid character "\\\\" in host name'],
    ["http://a%41/", 'parse "http://a%41/": invalid URL escape "%41"'],
    ["/a\tb", 'parse "/a\\tb": net/url: invalid control character in URL'],
    ["http://a[::1]/", 'parse "http://a[::1]/": invalid IP-literal'],
    ["http://[::1][/", 'parse "http://[::1][/": invalid IP-literal'],
    ["http://:x/", 'parse "http://:x/": invalid port ":x" after host'],
    ["http://[::1", "parse \"http://[::1\": missing ']' in host"],
    ["http://[[::1]]/", 'parse "http://[[::1]]/": invalid IP-literal'],
    ["http://[::1]x/", 'parse "http://[::1]x/": invalid port "x" after host'],
    ["http://[1.2.3.4]/", 'parse "http://[1.2.3.4]/": invalid IP-literal'],
    ["http://h:x/", 'parse "http://h:x/": invalid port ":x" after host'],
    ["http://h:80x/", 'parse "http://h:80x/": invalid port ":80x" after host'],
    ["\u0001", 'parse "\\x01": net/url: invalid control character in URL'],
    ["\u007f", 'parse "\\x7f": net/url: invalid control character in URL'],
  ])("refuse %j in the words of Go", (text, message) => {
    expect(() => parseUrl(text)).toThrow(new FunctionError(message));
  });

  it("write a path behind a host with a slash, and a colon in a first segment behind a dot", () => {
    expect(formatUrl({ ...empty, scheme: "http", host: "h", path: "a" })).toBe("http://h/a");
    expect(formatUrl({ ...empty, path: "a:b/c" })).toBe("./a:b/c");
    expect(formatUrl({ ...empty, path: "a/b:c" })).toBe("a/b:c");
    expect(formatUrl({ ...empty, userinfo: "u", path: "a:b" })).toBe("//u@a:b");
    expect(formatUrl({ ...empty, host: "h", path: "" })).toBe("//h");
  });

  it("escape control characters with two digits", () => {
    expect(formatUrl({ ...empty, path: "/\u0001\n" })).toBe("/%01%0A");
  });
});

describe("hostnameOf", () => {
  it.each([
    ["h", "h", ""],
    ["h:80", "h", "80"],
    ["h:", "h", ""],
    ["[::1]", "::1", ""],
    ["[::1]:8", "::1", "8"],
    ["[]", "", ""],
  ])("of %s is %j, the port is %j", (host, name, port) => {
    expect([hostnameOf(host), portOf(host)]).toEqual([name, port]);
  });
});
