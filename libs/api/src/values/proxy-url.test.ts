import { describe, expect, it } from "@jest/globals";
import { parseProxyUrl, publicProxyOf } from "./proxy-url.ts";

describe("a proxy", () => {
  it.each([
    ["http://proxy.example:3128", "http://proxy.example:3128"],
    ["HTTP://Proxy.Example:3128/", "http://proxy.example:3128"],
    ["https://10.0.0.1", "https://10.0.0.1"],
    ["http://[2001:db8::9]:3128", "http://[2001:db8::9]:3128"],
    ["http://proxy.example:80", "http://proxy.example"],
  ])("%s is public as %s", (text, origin) => {
    expect(publicProxyOf(text)).toBe(origin);
  });

  it.each(["http://me:secret@proxy.example:3128", "http://me@proxy.example", "http://:secret@proxy.example"])(
    "%s has a login, which is not public",
    (text) => {
      expect(parseProxyUrl(text)).toMatchObject({ hasLogin: true });
      expect(publicProxyOf(text)).toBeUndefined();
    },
  );

  it.each([
    "",
    "proxy.example:3128",
    "socks5://proxy.example:1080",
    "http:proxy.example",
    "http://",
    "http://a b:1",
    "http://proxy.example:port",
    "http://proxy.example/path",
    "http://proxy.example?a=b",
    "http://me:sec%ret@proxy.example",
  ])("is not %j", (text) => {
    expect(parseProxyUrl(text)).toBeUndefined();
  });
});
