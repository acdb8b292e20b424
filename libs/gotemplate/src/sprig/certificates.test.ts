import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parseTemplate, type ExecuteOptions } from "../template-set.ts";
import { goldenFolder } from "../../test/index.ts";
import { sprigFunctions } from "./sprig-functions.ts";

interface CertificateCase {
  readonly template: string;
  /** What Go made of it: certificates, then their keys, each the newest first. */
  readonly out: string;
}

const cases = JSON.parse(readFileSync(join(goldenFolder, "certificates/cases.json"), "utf8")) as CertificateCase[];

function run(text: string, options: ExecuteOptions): string {
  return parseTemplate({ name: "t", text, functions: sprigFunctions }).execute({}, options);
}

/** Keys, serial numbers and times as Go had them when it made the recorded blocks. */
function replay(out: string): ExecuteOptions {
  const blocks = out.match(/-----BEGIN [\s\S]*?-----END .*\n/g)?.toReversed() ?? [];
  const keys = blocks.filter((block) => block.includes("PRIVATE KEY"));
  const certificates = blocks.filter((block) => !block.includes("PRIVATE KEY")).map((pem) => new X509Certificate(pem));
  const [times, serials] = [[...certificates], [...certificates]];
  return {
    createKey: () => keys.shift() ?? "",
    now: () => times.shift()?.validFromDate ?? new Date(Number.NaN),
    random: (count) => Buffer.from((serials.shift()?.serialNumber ?? "").padStart(count * 2, "0"), "hex"),
    budget: { maxSteps: 100_000_000 },
  };
}

/** Blocks with the signature cut off where it differs each time: those of ECDSA keys. */
function comparable(out: string): string[] {
  const blocks = out.match(/-----BEGIN [\s\S]*?-----END .*\n/g) ?? [];
  return blocks.map((pem) => {
    if (pem.includes("PRIVATE KEY")) return pem;
    const { raw, signatureAlgorithm } = new X509Certificate(pem);
    return signatureAlgorithm?.startsWith("ecdsa") === true ? signedPart(raw).toString("hex") : pem;
  });
}

/** The first item of the certificate's sequence; lengths have one byte or two. */
function signedPart(certificate: Buffer): Buffer {
  const start = 2 + (certificate.readUInt8(1) & 0x7f);
  const lengthBytes = certificate.readUInt8(start + 1) & 0x7f;
  return certificate.subarray(start, start + 2 + lengthBytes + certificate.readUIntBE(start + 2, lengthBytes));
}

describe("with the same keys, serial numbers and clock, we make Go's bytes", () => {
  it.each(cases)("$template", ({ template, out }) => {
    const ours = comparable(run(template, replay(out)));
    expect(ours).toEqual(comparable(out));
    expect(ours.length).toBeGreaterThan(0);
  });
});

const kinds: string[] = [];
const options: ExecuteOptions = {
  now: () => new Date("2026-01-01T00:00:00Z"),
  random: (count) => new Uint8Array(count).fill(7),
};

describe("createKey", () => {
  it("is asked for the kinds of sprig", () => {
    const key = run('{{ genPrivateKey "ecdsa" }}', options);
    const templates = ['{{ genPrivateKey "rsa" }}', '{{ genPrivateKey "dsa" }}', '{{ (genCA "x" 1).Key }}'];
    const createKey: ExecuteOptions["createKey"] = (kind) => {
      kinds.push(JSON.stringify(kind));
      return key;
    };
    for (const template of templates) expect(run(template, { ...options, createKey })).toBe(key);
    expect(kinds).toEqual(['{"type":"rsa","bits":4096}', '{"type":"dsa"}', '{"type":"rsa","bits":2048}']);
  });
});

describe("keys and hashes cost so much of the budget that they cannot be made without end", () => {
  it.each([
    ['{{ range until 1000 }}{{ genPrivateKey "rsa" }}{{ end }}', 1_000_000, "genPrivateKey"],
    ['{{ range until 1000 }}{{ genCA "x" 1 }}{{ end }}', 400_000, "genCA"],
    [
      '{{ $k := genPrivateKey "ecdsa" }}{{ range until 1000 }}{{ genCAWithKey "x" 1 $k }}{{ end }}',
      100_000,
      "genCAWithKey",
    ],
    [
      '{{ $k := genPrivateKey "ecdsa" }}{{ $c := genCAWithKey "x" 1 $k }}{{ range until 1000 }}{{ buildCustomCert ($c.Cert | b64enc) ($k | b64enc) }}{{ end }}',
      100_000,
      "buildCustomCert",
    ],
    ['{{ range until 1000 }}{{ bcrypt "x" }}{{ end }}', 700_000, "bcrypt"],
    ['{{ range until 1000 }}{{ htpasswd "u" "x" }}{{ end }}', 700_000, "htpasswd"],
  ])("%s", (template, maxSteps, name) => {
    expect(() => run(template, { ...options, budget: { maxSteps } })).toThrow(
      new RegExp(`at <${name} .*>: budget exceeded: more than ${maxSteps} steps`),
    );
  });
});

describe("days", () => {
  // 64 bits of nanoseconds, as in Go.
  it.each([
    [0, "2026-01-01T00:00:00.000Z"],
    [-1, "2025-12-31T00:00:00.000Z"],
    [36_500, "2125-12-08T00:00:00.000Z"],
    [106_751, "2318-04-12T00:00:00.000Z"],
    [106_752, "1733-09-22T00:25:26.000Z"],
  ])("%d end at %s", (days, end) => {
    const cert = run(`{{ (genCAWithKey "x" ${days} (genPrivateKey "ed25519")).Cert }}`, options);
    expect(new X509Certificate(cert).validToDate.toISOString()).toBe(end);
  });
});

describe("passwords", () => {
  it("take their salt from the random bytes of the execution", () => {
    const template = '{{ htpasswd "u" "x" }} {{ bcrypt "x" }}';
    expect(run(template, options)).toBe(run(template, options));
    expect(run(template, options)).not.toBe(run(template, { ...options, random: (count) => new Uint8Array(count) }));
  });
});
