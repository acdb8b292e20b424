import { describe, expect, it } from "@jest/globals";
import { describeProxyFailure, isRefusedByProxy } from "./proxy-failure.ts";

const proxy = "http://me:correct-horse@proxy.example:3128";
const place = "the proxy http://proxy.example:3128";

describe("a failure", () => {
  it.each([
    ["Proxy response (403) !== 200 when HTTP Tunneling", `${place} answered 403: it does not permit this server`],
    ["Proxy response (407) !== 200 when HTTP Tunneling", `${place} answered 407: it demands another user and password`],
    ["Proxy Authentication Required (407)", `${place} answered 407: it demands another user and password`],
    ["Proxy response (503) !== 200 when HTTP Tunneling", `${place} answered 503: it does not reach the server`],
    ["Proxy response (418) !== 200 when HTTP Tunneling", `${place} answered 418`],
    ["connect ECONNREFUSED 10.0.0.1:3128", `connect ECONNREFUSED 10.0.0.1:3128 (through ${place})`],
  ])("%s through a proxy is %s", (problem, expected) => {
    expect(describeProxyFailure(problem, proxy)).toBe(expected);
  });

  it("without a proxy stays as it is", () => {
    expect(describeProxyFailure("it broke", undefined)).toBe("it broke");
  });

  it("is a refusal only if the proxy has answered", () => {
    expect(isRefusedByProxy("Proxy response (503) !== 200 when HTTP Tunneling")).toBe(true);
    expect(isRefusedByProxy("connect ECONNREFUSED 10.0.0.1:3128")).toBe(false);
  });
});
