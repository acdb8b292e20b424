import { X509Certificate, createPrivateKey } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createCertificateAuthority } from "./certificate-authority.ts";

describe("createCertificateAuthority", () => {
  const authority = createCertificateAuthority("test authority", Date.now);
  const root = new X509Certificate(authority.cert);

  it("signs itself and may sign others", () => {
    expect({ subject: root.subject, issuer: root.issuer, ca: root.ca, verified: root.verify(root.publicKey) }).toEqual({
      subject: "CN=test authority",
      issuer: "CN=test authority",
      ca: true,
      verified: true,
    });
  });

  it("issues a certificate for hosts that matches its key", () => {
    const issued = authority.issue({ commonName: "server", hosts: ["localhost", "127.0.0.1", "::1", "fd00::1:2"] });
    const certificate = new X509Certificate(issued.cert);
    expect(certificate.subjectAltName).toBe(
      "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:FD00:0:0:0:0:0:1:2",
    );
    expect(certificate.checkIssued(root) && certificate.verify(root.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(issued.key))).toBe(true);
    expect(certificate.ca).toBe(false);
  });

  it("names user and groups of a client", () => {
    const issued = authority.issue({ commonName: "admin", organizations: ["system:masters", "dev"] });
    expect(new X509Certificate(issued.cert).subject).toBe("O=dev + O=system:masters\nCN=admin");
  });

  it("is valid from before now, for clocks that differ", () => {
    expect(Date.parse(root.validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(root.validTo)).toBeGreaterThan(Date.now() + 24 * 3_600_000);
  });
});
