import { describe, expect, it } from "@jest/globals";
import { createSigningKey, signJwt, verifyJwt } from "./jwt.ts";

describe("verifyJwt", () => {
  const key = createSigningKey();
  const token = signJwt(key, { sub: "me" });
  const [header, payload, signature] = token.split(".") as [string, string, string];

  it("answers the claims of a token that the key has signed", () => {
    expect(verifyJwt(key, token)).toEqual({ sub: "me" });
    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({ alg: "ES256", kid: key.id, typ: "JWT" });
  });

  const forged = Buffer.from('{"sub":"you"}').toString("base64url");
  const bad: readonly (readonly [string, string])[] = [
    ["an empty text", ""],
    ["a text with two parts", `${header}.${payload}`],
    ["a text with four parts", `${token}.x`],
    ["other claims", `${header}.${forged}.${signature}`],
    ["no signature", `${header}.${payload}.`],
    ["a token of another key", signJwt(createSigningKey(), { sub: "me" })],
  ];
  for (const [what, text] of bad) {
    it(`refuses ${what}`, () => {
      expect(verifyJwt(key, text)).toBeUndefined();
    });
  }
});
