import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseTemplate, sprigFunctions } from "@landscaper/gotemplate";
import { goldenFolder } from "@landscaper/gotemplate/testing";
import { decodePem, parseCertificate } from "@landscaper/x509";
import type { AskedCase, Recording } from "../recording.ts";
import { askGoTemplates } from "./recording.ts";

interface CertificateCase {
  readonly template: string;
  /** PEM blocks that Go made: certificates and keys, each the newest first. */
  readonly out: string;
}

const path = join(goldenFolder, "certificates/cases.json");

/**
 * libs/gotemplate/testdata/certificates: what sprig's certificates look like. They differ each time, so what they say is
 * compared; the unit test makes the recorded ones again, byte by byte. And Go reads ours.
 */
export const certificateRecording: Recording = {
  name: "certificates",
  files: () => ["cases.json"],
  count: () => readCases().length,
  ask: () => {
    const cases = readCases();
    const fresh = askGoTemplates(cases.map(({ template }) => ({ template })));
    return [...cases.map((item, index) => sameAsRecorded(item, fresh[index]?.out ?? "")), ...readByGo(cases)];
  },
  write: (_, cases) => {
    const entries = cases.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
    writeFileSync(path, `${JSON.stringify(entries, undefined, 1)}\n`);
  },
};

function readCases(): CertificateCase[] {
  return JSON.parse(readFileSync(path, "utf8")) as CertificateCase[];
}

function sameAsRecorded({ template, out }: CertificateCase, fresh: string): AskedCase {
  return {
    name: template,
    recorded: blocksOf(out ?? "").map(describe),
    real: blocksOf(fresh).map(describe),
    entry: { template, out: fresh },
  };
}

/** Go's words about our certificates, beside those about its own. */
function readByGo(cases: readonly CertificateCase[]): AskedCase[] {
  const withCertificates = cases.filter(({ template }) => template.includes(".Cert"));
  const ask = (texts: readonly string[]): unknown[] => askGoTemplates(texts.map((certificates) => ({ certificates })));
  const ours = ask(withCertificates.map(({ template }) => render(template)));
  const gos = ask(withCertificates.map(({ out }) => out));
  return withCertificates.map(({ template }, index) => ({
    name: `ours, read by Go: ${template}`,
    recorded: gos[index],
    real: ours[index],
    entry: undefined,
  }));
}

function render(text: string): string {
  const template = parseTemplate({ name: "t", text, functions: sprigFunctions });
  const budget = { maxSteps: 100_000_000 };
  return template.execute({}, { now: () => new Date(), random: (count) => randomBytes(count), budget });
}

function blocksOf(text: string): string[] {
  return text.match(/-----BEGIN [\s\S]*?-----END .*\n/g) ?? [];
}

/** What does not differ from one time to the next. */
function describe(pem: string): unknown {
  const block = decodePem(pem);
  if (block?.type !== "CERTIFICATE") return block?.type;
  const { subject, isAuthority, keyUsages, extendedKeyUsages, dnsNames, ipAddresses, ...rest } = parseCertificate(
    block.der,
  );
  const lifetime = rest.notAfter.getTime() - rest.notBefore.getTime();
  const key = rest.publicKey.asymmetricKeyType;
  return { subject, isAuthority, keyUsages, extendedKeyUsages, dnsNames, ipAddresses, lifetime, key };
}
