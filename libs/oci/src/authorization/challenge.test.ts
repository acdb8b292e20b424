import { describe, expect, it } from "@jest/globals";
import { parseChallenge } from "./challenge.ts";
import { nextPage } from "../next-page.ts";

describe("parseChallenge", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["Negotiate", undefined],
    ["Basic", { type: "basic" }],
    ['basic realm="x"', { type: "basic" }],
    [
      'Bearer realm="https://auth.example.org/token",service="registry",scope="repository:a:pull,push"',
      { type: "bearer", realm: "https://auth.example.org/token", service: "registry" },
    ],
    ["Bearer realm=https://auth.example.org/token", { type: "bearer", realm: "https://auth.example.org/token" }],
    ['Bearer service="no realm"', undefined],
    ['Basic realm="x", Bearer realm="https://a.example.org"', { type: "bearer", realm: "https://a.example.org" }],
    ['Bearer realm="https://a.example.org/\\"x\\""', { type: "bearer", realm: 'https://a.example.org/"x"' }],
    ['Basic realm="a, Bearer of news"', { type: "basic" }],
  ])("reads %j", (header, expected) => {
    expect(parseChallenge(header)).toEqual(expected);
  });
});

describe("nextPage", () => {
  const current = new URL("https://example.org/v2/app/tags/list");
  it.each([
    [undefined, undefined],
    ['</v2/app/tags/list?last=b&n=2>; rel="next"', "https://example.org/v2/app/tags/list?last=b&n=2"],
    ["</v2/app/tags/list?last=b>; rel=next", "https://example.org/v2/app/tags/list?last=b"],
    ['<?last=b>; title="x"; rel="prev next"', "https://example.org/v2/app/tags/list?last=b"],
    ['</a>; rel="prev", </b>; rel="next"', "https://example.org/b"],
    ['</a>; rel="nextish"', undefined],
  ])("reads %j", (link, expected) => {
    expect(nextPage(link, current)?.href).toBe(expected);
  });

  it("does not leave the registry", () => {
    expect(() => nextPage('<https://evil.example.net/x>; rel="next"', current)).toThrow("leaves the registry");
  });
});
