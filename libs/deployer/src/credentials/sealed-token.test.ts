import { describe, expect, it } from "@jest/globals";
import {
  createSealingKeys,
  hasSealedToken,
  isSealedFor,
  sealingKeyOf,
  sealToken,
  unsealTokens,
} from "./sealed-token.ts";

const keys = createSealingKeys();
const others = createSealingKeys();
const signature = "c2lnbmF0dXJlLW9mLXRoZS1zZXJ2ZXI";
const token = `e30.eyJpYXQiOjF9.${signature}`;
const sealed = sealToken(token, keys.publicKey);

describe("a sealed token", () => {
  it("shows header and claims, and nothing of the signature", () => {
    expect(sealed).toMatch(/^e30\.eyJpYXQiOjF9\.sealed-v1\.[\w-]{16}\.[\w-]{43}\.[\w-]+$/);
    expect(Buffer.from(sealed.split(".").at(-1) ?? "", "base64url").toString("latin1")).not.toContain("c2lnbm");
    expect(sealed).not.toContain(signature.slice(0, 8));
  });

  it("is another one each time", () => {
    expect(sealToken(token, keys.publicKey)).not.toBe(sealed);
  });

  it("is unsealed wherever it stands in a text, with the private key alone", () => {
    const second = sealToken("a.b.second-signature", keys.publicKey);
    const text = `users: [{token: ${sealed}}, {token: "${second}"}]`;
    expect(unsealTokens(text, keys.privateKey)).toEqual({
      text: `users: [{token: ${token}}, {token: "a.b.second-signature"}]`,
      secrets: [signature, "second-signature"],
    });
    expect(unsealTokens(text, others.privateKey)).toEqual({ text, secrets: [] });
    expect(unsealTokens(text, "no key")).toEqual({ text, secrets: [] });
  });

  it("stays sealed when a character of it was changed", () => {
    const at = sealed.length - 5;
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    expect(unsealTokens(changed, keys.privateKey)).toEqual({ text: changed, secrets: [] });
  });

  it("keeps a text that has no dots secret as a whole", () => {
    const opaque = sealToken("opaque", keys.publicKey);
    expect([opaque.includes("opaque"), unsealTokens(opaque, keys.privateKey).text]).toEqual([false, "opaque"]);
  });

  it("says for which key it is", () => {
    const judge = (text: string) => [undefined, keys.publicKey, others.publicKey].map((key) => isSealedFor(text, key));
    expect([judge(sealed), judge(token)]).toEqual([
      [false, true, false],
      [true, false, false],
    ]);
    expect([hasSealedToken(sealed), hasSealedToken(token)]).toEqual([true, false]);
  });

  it("costs time linear in the text", () => {
    const text = sealed.slice(0, 30).repeat(200_000);
    // With time that is quadratic in the text, the test would last for hours.
    expect(unsealTokens(text + sealed, keys.privateKey).secrets).toEqual([signature]);
  });
});

it("a private key says which public key belongs to it", () => {
  expect([sealingKeyOf(keys.privateKey), sealingKeyOf(undefined), sealingKeyOf("x")]).toEqual([
    keys.publicKey,
    undefined,
    undefined,
  ]);
});
