import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createKey } from "@landscaper/x509";
import { createSpiff, SpiffError, type SpiffOptions } from "../../index.ts";

const host: SpiffOptions = {
  random: (count) => new Uint8Array(count).fill(7),
  clock: () => new Date("2026-01-02T03:04:05.678Z"),
};

const k = createKey({ type: "rsa", bits: 1024 });

function evaluate(expression: string, options: SpiffOptions = host): unknown {
  return createSpiff(options).map(`(( ${expression} ))`, { k }, "test");
}

function failure(expression: string, options: SpiffOptions = host): string {
  try {
    return `no error: ${String(evaluate(expression, options))}`;
  } catch (error) {
    if (error instanceof SpiffError) return error.message;
    throw error;
  }
}

describe("functions that need the caller's means", () => {
  it.each([
    "rand()",
    'rand("a-z", 3)',
    'bcrypt("x", 4)',
    'md5crypt("x")',
    'encrypt("x", "k")',
    "wggenkey()",
    'x509cert({"privateKey"=x509genkey("P256")})',
  ])("fail without random bytes: %s", (expression) => {
    expect(failure(expression, { clock: host.clock })).toContain("*there is no source of random bytes");
  });

  it.each(['x509cert({"privateKey"=x509genkey("P256")})'])("fail without a clock: %s", (expression) => {
    expect(failure(expression, { random: host.random })).toContain("*there is no clock");
  });

  it("give the same for the same bytes", () => {
    const expressions = [
      "rand()",
      'rand("a-z", 3)',
      'bcrypt("x", 4)',
      'md5crypt("x")',
      'encrypt("x", "k")',
      "wggenkey()",
    ];
    expect(expressions.map((text) => evaluate(text))).toEqual(expressions.map((text) => evaluate(text)));
  });

  it("ask the caller for keys", () => {
    const kinds: unknown[] = [];
    const createKey: SpiffOptions["createKey"] = (kind) => {
      kinds.push(kind);
      return `key ${kinds.length}`;
    };
    expect(evaluate('[x509genkey(), x509genkey(1024), x509genkey("P521")]', { ...host, createKey })).toEqual([
      "key 1",
      "key 2",
      "key 3",
    ]);
    expect(kinds).toEqual([
      { type: "rsa", bits: 2048 },
      { type: "rsa", bits: 1024 },
      { type: "ecdsa", curve: "P-521" },
    ]);
  });
});

describe("slow functions", () => {
  it.each([
    ['bcrypt("x", 31)', "bcrypt with cost 31: more than 500000 steps"],
    [
      'bcrypt_check("x", "$2a$31$GDvb57waNo85K5OC2E7QkOOAF/DO7sKFsQKKJcxU5.a0VK7.zcqOS")',
      "bcrypt_check with cost 31: more than",
    ],
    ["x509genkey(1000000)", "x509genkey: more than 500000 steps"],
    ["x509genkey(9223372036854775807)", "x509genkey: more than 500000 steps"],
    ['map[[1..1000]|i|-> bcrypt("x", 8)]', "bcrypt with cost 8: more than 500000 steps"],
    ["map[[1..1000]|i|-> x509genkey(2048)]", "x509genkey: more than 500000 steps"],
    ['map[[1..1000]|i|-> x509cert({"privateKey"=k})]', "x509cert: more than 500000 steps"],
    ["map[[1..10000]|i|-> x509publickey(k)]", "x509publickey: more than 500000 steps"],
    ['map[[1..10000]|i|-> validate(k, "privatekey")]', "privatekey: more than 500000 steps"],
    ['rand("a", 9223372036854775807)', "characters or entries"],
  ])("are stopped by the budget: %s", (expression, message) => {
    // Stands for the work; what is tested is that it ends.
    expect(failure(expression, { ...host, limits: { steps: 500_000 }, createKey: () => "" })).toContain(message);
  });
});

describe("x509cert", () => {
  const pem = evaluate(
    'x509cert({"commonName"="a","privateKey"=x509genkey("P256"),"isCA"=true,"usage"=["ServerAuth"],"hosts"=["x","1.2.3.4"],"validity"=48})',
  );
  const certificate = new X509Certificate(String(pem));

  it("is verified by others", () => {
    expect([certificate.verify(certificate.publicKey), certificate.ca, certificate.subjectAltName]).toEqual([
      true,
      true,
      "DNS:x, IP Address:1.2.3.4",
    ]);
  });

  it("takes its time from the clock and its number from the random bytes", () => {
    expect([certificate.validFrom, certificate.validTo, certificate.serialNumber]).toEqual([
      "Jan  2 03:04:05 2026 GMT",
      "Jan  4 03:04:05 2026 GMT",
      "07".repeat(16),
    ]);
  });
});

describe("encrypted text", () => {
  it("is data, also when it looks like an expression", () => {
    const options: SpiffOptions = { ...host };
    const encrypted = evaluate('encrypt("(" "( 1 + 1 ))", "k")', options);
    expect(evaluate(`decrypt("${String(encrypted)}", "k")`)).toBe("(( 1 + 1 ))");
  });

  it("of damaged blocks never ends in anything but an error of the expression", () => {
    const encrypted = String(evaluate('encrypt("text", "k")'));
    for (let at = 0; at < encrypted.length; at += 2) {
      const damaged = encrypted.slice(0, at) + (encrypted.startsWith("00", at) ? "11" : "00") + encrypted.slice(at + 2);
      expect(failure(`decrypt("${damaged}", "k")`)).toContain("*invalid key: wrong key or damaged text");
    }
  });
});

describe("rand", () => {
  it("draws from characters beyond ASCII that are named", () => {
    const random = (count: number): Uint8Array =>
      Uint8Array.from({ length: count }, () => Math.floor(Math.random() * 256));
    const spiff = createSpiff({ random });
    const text = spiff.map("(( rand(set, 200) ))", { set: "а-яä" }, "test");
    expect(text).toMatch(/^[а-яä]{200}$/u);
    expect(new Set(String(text)).size).toBeGreaterThan(10);
  });
});
