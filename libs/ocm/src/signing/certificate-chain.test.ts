import { expect, it } from "@jest/globals";
import { isSameName, parseCertificates } from "./certificate-chain.ts";

it.each([
  ["CN=a, O=b", "O=b,CN=a", true],
  ["CN=a\nO=b", "O=b,CN=a", true],
  ["CN=a", "CN=a,O=b", false],
  ["CN=a", "CN=b", false],
])("isSameName of %j and %j is %p", (one, other, expected) => {
  expect(isSameName(one, other)).toBe(expected);
});

it("refuses PEM that contains no certificate", () => {
  const pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  expect(() => parseCertificates(pem, "here")).toThrow(/^here: expected a certificate, found other data \(\w+\)$/);
});
