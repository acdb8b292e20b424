import { describe, expect, it } from "@jest/globals";
import { describeTlsFailure, isCertificateRefused, type TlsFields } from "./tls-failure.ts";

const fields: TlsFields = {
  authority: "certificate-authority-data of the kubeconfig",
  hasAuthority: true,
  name: "api.example",
  nameField: "server of the kubeconfig",
  clientCertificate: "client-certificate-data of the kubeconfig",
};

/** An error as Node.js throws it, with the texts that users must not read. */
function failure(code: string, message = "self-signed certificate; try running Node.js with --use-system-ca"): Error {
  return Object.assign(new Error(message), { code });
}

const notSigned =
  "the server certificate is not signed by certificate-authority-data of the kubeconfig; update that field if the authority of the server has changed";

describe("describeTlsFailure", () => {
  it.each([
    "CERT_SIGNATURE_FAILURE",
    "CERT_UNTRUSTED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ])("names the field of the authority for %s", (code) => {
    expect(describeTlsFailure(failure(code), fields)).toBe(notSigned);
    expect(isCertificateRefused(code)).toBe(true);
  });

  it.each<[code: string, text: string]>([
    [
      "CERT_HAS_EXPIRED",
      "the server certificate or its authority has expired; renew it on the server, update certificate-authority-data of the kubeconfig if the authority has changed, and check the local clock",
    ],
    [
      "CERT_NOT_YET_VALID",
      "the server certificate or its authority is not valid yet; check the local clock and that of the server",
    ],
    [
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "the server certificate is not valid for the name api.example; correct server of the kubeconfig",
    ],
    [
      "HOSTNAME_MISMATCH",
      "the server certificate is not valid for the name api.example; correct server of the kubeconfig",
    ],
    [
      "INVALID_CA",
      "the server certificate or its authority is not usable (INVALID_CA); replace the certificate of the server, or correct certificate-authority-data of the kubeconfig",
    ],
  ])("explains %s", (code, text) => {
    expect(describeTlsFailure(failure(code), fields)).toBe(text);
    expect(isCertificateRefused(code)).toBe(true);
  });

  it.each<[code: string, message: string, text: string]>([
    [
      "EPROTO",
      "write EPROTO 40B7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/a.c:354:",
      "the server does not answer with TLS; check scheme and port of its URL",
    ],
    [
      "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
      "error:0A00045C:SSL routines:ssl3_read_bytes",
      "the server requires a client certificate; set client-certificate-data of the kubeconfig",
    ],
    [
      "EPROTO",
      "write EPROTO error:0A000410:SSL routines",
      "the TLS handshake failed; check that both ends support a common TLS version and cipher",
    ],
    [
      "ERR_SSL_NO_SHARED_CIPHER",
      "error:0A0000C1:SSL routines",
      "the TLS handshake failed (ERR_SSL_NO_SHARED_CIPHER); check that both ends support a common TLS version and cipher",
    ],
    [
      "ERR_OSSL_X509_KEY_VALUES_MISMATCH",
      "error:05800074:x509 certificate routines::key values mismatch",
      "the certificates or the key of the connection are not usable (ERR_OSSL_X509_KEY_VALUES_MISMATCH); correct certificate-authority-data of the kubeconfig, or client-certificate-data of the kubeconfig and its key",
    ],
    [
      "UND_ERR_PRX_TLS",
      "Secure Proxy Connection failed",
      "the certificate of the proxy does not have the name of the proxy's URL; correct the URL, or replace the certificate",
    ],
  ])("explains %s with %j", (code, message, text) => {
    expect(describeTlsFailure(failure(code, message), fields)).toBe(text);
    expect(isCertificateRefused(code)).toBe(false);
  });

  it("asks for an authority where only the default authorities are trusted", () => {
    expect(describeTlsFailure(failure("SELF_SIGNED_CERT_IN_CHAIN"), { ...fields, hasAuthority: false })).toBe(
      "the server certificate is not signed by a trusted authority; set certificate-authority-data of the kubeconfig",
    );
  });

  it("says that the certificate may be the proxy's", () => {
    expect(describeTlsFailure(failure("CERT_UNTRUSTED"), { ...fields, hasSecureProxy: true })).toMatch(
      /^the certificate of the server or of its proxy is not signed by /,
    );
  });

  it.each([failure("ECONNREFUSED"), failure("toString"), new Error("no code"), undefined])(
    "leaves %p to others",
    (error) => {
      expect(describeTlsFailure(error, fields)).toBeUndefined();
    },
  );
});
