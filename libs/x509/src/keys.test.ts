import { createPublicKey, sign, verify } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import {
  createKey,
  createWireguardKey,
  decodePem,
  ipBytes,
  type KeyKind,
  keyWorkMs,
  parsePrivateKey,
  parsePublicKey,
  privateKeyPem,
  publicKeyPem,
  sshPublicKey,
  wireguardPublicKey,
  X509Error,
} from "./index.ts";
import { integer, sequence } from "./der-writer.ts";
import { encodePem } from "./pem.ts";

function block(pem: string): { type: string; der: Buffer } {
  const found = decodePem(pem);
  if (found === undefined) throw new Error("no PEM");
  return found;
}

describe("keys", () => {
  it.each<[string, KeyKind, string]>([
    ["RSA", { type: "rsa", bits: 1024 }, "RSA PRIVATE KEY"],
    ["P-224", { type: "ecdsa", curve: "P-224" }, "EC PRIVATE KEY"],
    ["P-521", { type: "ecdsa", curve: "P-521" }, "EC PRIVATE KEY"],
    ["Ed25519", { type: "ed25519" }, "PRIVATE KEY"],
    ["DSA", { type: "dsa" }, "DSA PRIVATE KEY"],
  ])("of %s are read as they were written", (_, kind, label) => {
    const pem = createKey(kind);
    expect(pem).toMatch(new RegExp(`^-----BEGIN ${label}-----\n`));
    const key = parsePrivateKey(block(pem));
    if (key === undefined) throw new Error("no key");
    expect(privateKeyPem(key)).toBe(pem);
    const isEdwards = kind.type === "ed25519";
    const signature = sign(isEdwards ? null : "sha256", Buffer.from("x"), key);
    const publicKey = parsePublicKey(block(publicKeyPem(createPublicKey(key), "pkcs1")));
    expect(verify(isEdwards ? null : "sha256", Buffer.from("x"), publicKey, signature)).toBe(true);
    expect(publicKeyPem(publicKey, "pkcs1")).toBe(publicKeyPem(createPublicKey(key), "pkcs1"));
  });

  it.each([["RSA PRIVATE KEY"], ["EC PRIVATE KEY"], ["PRIVATE KEY"], ["DSA PRIVATE KEY"]])(
    "that are malformed are refused: %s",
    (type) => {
      for (const der of [Buffer.alloc(0), Buffer.from([0, 0, 0]), Buffer.from("3003020100", "hex")]) {
        expect(() => parsePrivateKey({ type, der })).toThrow(X509Error);
      }
    },
  );

  it("are not looked for in blocks of other types", () => {
    expect(parsePrivateKey({ type: "CERTIFICATE", der: Buffer.from([]) })).toBeUndefined();
  });

  it("need 1024 bits for RSA", () => {
    expect(() => createKey({ type: "rsa", bits: 1023 })).toThrow(
      new X509Error("crypto/rsa: 1023-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)"),
    );
  });

  it("of more than 8192 bits are refused: signatures would take too long", () => {
    // Only the modulus is long; the numbers need not fit together.
    const numbers = [0, 3, 5, 7, 11, 13, 17, 19, 23].map((value) => integer(Buffer.from([value])));
    numbers[1] = integer(Buffer.alloc(1025, 0xff));
    const der = sequence(...numbers);
    expect(() => parsePrivateKey({ type: "RSA PRIVATE KEY", der })).toThrow(
      new X509Error("a key of 8200 bits: more than 8192"),
    );
  });

  it("cost more the longer they are", () => {
    const work = [1024, 2048, 4096, 16_384].map((bits) => keyWorkMs({ type: "rsa", bits }));
    expect(work).toEqual(work.toSorted((a, b) => a - b));
  });

  it("that are public and malformed are refused", () => {
    expect(() => parsePublicKey({ type: "PUBLIC KEY", der: Buffer.from([0, 0, 0]) })).toThrow(X509Error);
  });

  // The example of RFC 8410 §10.
  it("of Ed25519 are known to SSH", () => {
    const pem =
      "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";
    const publicBytes = Buffer.from("Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=", "base64");
    const blob = Buffer.concat([Buffer.from("\0\0\0\x0bssh-ed25519\0\0\0\x20"), publicBytes]);
    expect(sshPublicKey(createPublicKey(pem))).toBe(`ssh-ed25519 ${blob.toString("base64")}\n`);
  });

  it("of P-224 are not known to SSH", () => {
    expect(() => sshPublicKey(createPublicKey(createKey({ type: "ecdsa", curve: "P-224" })))).toThrow(
      new X509Error("ssh: only P-256, P-384 and P-521 EC keys are supported"),
    );
  });

  it("of WireGuard are clamped", () => {
    const key = createWireguardKey(Buffer.alloc(32, 0xff));
    expect([key[0], key[31], key[5]]).toEqual([0xf8, 0x7f, 0xff]);
  });

  // As `wg pubkey` gives it.
  it("of WireGuard have public keys", () => {
    const key = Buffer.from("YAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=", "base64");
    expect(wireguardPublicKey(key).toString("base64")).toBe("Y2FD6uTgrq+/bbBAXCNOtE+PGk8Papoh7qaWBpQUXn0=");
  });
});

describe("decodePem", () => {
  const pem = encodePem("X Y", Buffer.from("hello world"));

  it.each([
    ["as written", pem],
    ["after text", `some text\n${pem}`],
    ["with headers", pem.replace("-----\n", "-----\nProc-Type: 4\nDEK-Info: x\n\n")],
    ["with CRLF", pem.replaceAll("\n", "\r\n")],
    ["after a broken block", `-----BEGIN A-----\n${pem}`],
    ["of two blocks the first", pem + encodePem("Z", Buffer.alloc(1))],
  ])("reads blocks %s", (_, text) => {
    expect(decodePem(text)).toMatchObject({ type: "X Y", der: Buffer.from("hello world") });
  });

  it.each([
    ["nothing", ""],
    ["no end", "-----BEGIN A-----\nAAAA\n"],
    ["other characters", "-----BEGIN A-----\nA!AA\n-----END A-----\n"],
    ["another end", "-----BEGIN A-----\nAAAA\n-----END B-----\n"],
    ["one line", "-----BEGIN A-----AAAA-----END A-----"],
    ["text before the first dash", "x-----BEGIN A-----\nAAAA\n-----END A-----\n"],
  ])("finds no block in %s", (_, text) => {
    expect(decodePem(text)).toBeUndefined();
  });

  it("takes no quadratic time", () => {
    const start = process.threadCpuUsage();
    decodePem("-----BEGIN A-----\n".repeat(20_000));
    decodePem(`${"-----BEGIN A-----\n".repeat(20_000)}-----END B-----\n`);
    decodePem("-----BEGIN A-----\n-----END B-----\n".repeat(20_000));
    const { user, system } = process.threadCpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});

describe("ipBytes", () => {
  it.each([
    ["1.2.3.4", "01020304"],
    ["::1", "00000000000000000000000000000001"],
    ["fd00::1:2", "fd000000000000000000000000010002"],
    ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
    ["::ffff:1.2.3.4", "01020304"],
    ["64:ff9b::1.2.3.4", "0064ff9b000000000000000001020304"],
    ["::", "00000000000000000000000000000000"],
  ])("reads %s", (address, hex) => {
    expect(ipBytes(address)?.toString("hex")).toBe(hex);
  });

  it.each(["", "1.2.3", "01.2.3.4", "256.1.1.1", "fe80::1%eth0", "a.b", ":::", "1:2:3"])("refuses %s", (address) => {
    expect(ipBytes(address)).toBeUndefined();
  });
});
