import { describe, expect, it } from "@jest/globals";
import { decideToken, readTokenLife, type TokenLife } from "./token-life.ts";

const day = 86_400;
const issued = 1_780_000_000;

function tokenOf(uid: string, seconds = 14 * day): string {
  const claims = { iat: issued, exp: issued + seconds, "kubernetes.io": { serviceaccount: { name: "a", uid } } };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
}

describe("the life of a token", () => {
  const jwt = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.sig`;
  it.each<[token: string | undefined, expected: TokenLife | undefined]>([
    [undefined, undefined],
    ["opaque", undefined],
    ["a.b.c", undefined],
    [jwt(5), undefined],
    [jwt({ iat: "1", exp: 2 }), undefined],
    [jwt({ iat: 1, exp: 2 }), { issuedAtMs: 1_000, expiresAtMs: 2_000 }],
  ])("reads the life of %s", (token, expected) => {
    expect(readTokenLife(token)).toEqual(expected);
  });
});

describe("the token of an account", () => {
  const half = (issued + 7 * day) * 1000;
  const request = { kind: "request" };
  it.each([
    {
      name: "stays for half of its life",
      token: tokenOf("u"),
      nowMs: half - 1,
      expected: { kind: "keep", token: tokenOf("u"), untilMs: half },
    },
    { name: "is renewed after that", token: tokenOf("u"), nowMs: half, expected: request },
    {
      name: "is renewed earlier when the server gives it a shorter life",
      token: tokenOf("u", 3600),
      nowMs: (issued + 1800) * 1000,
      expected: request,
    },
    { name: "is renewed when its account was made anew", token: tokenOf("other"), nowMs: half - 1, expected: request },
    { name: "is requested when there is none", token: undefined, nowMs: half - 1, expected: request },
    { name: "is replaced when it is not a token", token: "x.y.z", nowMs: half - 1, expected: request },
  ])("$name", ({ token, nowMs, expected }) => {
    expect(decideToken(token, "u", nowMs)).toEqual(expected);
  });
});
