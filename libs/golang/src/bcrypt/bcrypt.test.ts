import { describe, expect, it } from "@jest/globals";
import { FunctionError } from "../function-error.ts";
import { bcryptHash, bcryptWorkMs, parseBcryptHash } from "./bcrypt.ts";

const salt = Buffer.from("00112233445566778899aabbccddeeff", "hex");

describe("bcryptHash", () => {
  it("gives a hash of the cost with the salt", () => {
    const hash = bcryptHash("x", 4, salt);
    expect(hash).toMatch(/^\$2a\$04\$[./A-Za-z0-9]{53}$/);
    expect(bcryptHash("x", 4, salt)).toBe(hash);
    expect(bcryptHash("x", 4, Buffer.alloc(16))).not.toBe(hash);
  });

  it.each([
    ["x".repeat(73), 4, "bcrypt: password length exceeds 72 bytes"],
    ["ä".repeat(37), 4, "bcrypt: password length exceeds 72 bytes"],
    ["x", 32, "crypto/bcrypt: cost 32 is outside allowed range (4,31)"],
    ["\udc80", 4, "bcrypt: the password is no valid UTF-8"],
  ])("refuses %j with cost %d", (password, cost, message) => {
    expect(() => bcryptHash(password, cost, salt)).toThrow(new FunctionError(message));
  });

  it("takes 10 for costs that are too low, and 72 bytes", () => {
    expect(bcryptHash("x".repeat(72), 3, salt)).toMatch(/^\$2a\$10\$/);
  });
});

describe("parseBcryptHash", () => {
  const hash = bcryptHash("pässword", 4, salt);

  it.each([
    ["the hash itself", hash, "pässword", true],
    ["another password", hash, "password", false],
    ["an unknown minor version", `$2x${hash.slice(3)}`, "pässword", true],
    ["an old major version", `$1a${hash.slice(3)}`, "pässword", true],
    ["more text behind", `${hash}x`, "pässword", true],
    ["no UTF-8", hash, "\udc80", false],
    // Made by golang.org/x/crypto/bcrypt.
    ["a hash of Go", "$2a$04$GDvb57waNo85K5OC2E7QkOOAF/DO7sKFsQKKJcxU5.a0VK7.zcqOS", "x", true],
  ])("compares with %s", (_, text, ...[password, want]) => {
    expect(parseBcryptHash(text)?.matches(password)).toBe(want);
  });

  it.each([
    [
      "",
      "y",
      hash.slice(0, 59),
      `$3a${hash.slice(3)}`,
      `$2a$03${hash.slice(6)}`,
      `$2a$99${hash.slice(6)}`,
      `$2a$4${hash.slice(6)}`,
    ],
  ])("refuses what is no hash", (...texts) => {
    expect(texts.map(parseBcryptHash)).toEqual(texts.map(() => undefined));
  });

  it("tells the cost", () => {
    expect(parseBcryptHash(hash)?.cost).toBe(4);
    expect([4, 10, 31].map(bcryptWorkMs).every((work, index, all) => index === 0 || work > (all[index - 1] ?? 0))).toBe(
      true,
    );
  });
});
