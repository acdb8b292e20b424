/** Where users correct what a connection trusts, in the words of messages. */
export interface TlsFields {
  /** Holder of the trusted authorities, such as "certificate-authority-data of the kubeconfig". */
  readonly authority: string;
  /** False: the connection trusts only the default authorities. */
  readonly hasAuthority: boolean;
  /** Name that the certificate must have. */
  readonly name: string;
  /** Holder of the name, such as "server or tls-server-name of the kubeconfig". */
  readonly nameField: string;
  /** Holder of the client certificate, such as "client-certificate-data of the kubeconfig". */
  readonly clientCertificate: string;
  /** True if the proxy has a certificate, too: Node does not say whose certificate it has refused. */
  readonly hasSecureProxy?: boolean | undefined;
}

type Problem = "authority" | "expired" | "notYetValid" | "name" | "certificate";

/** Codes of Node.js and OpenSSL for a certificate that the client refuses. The client has sent no request then. */
const problems: Readonly<Record<string, Problem>> = {
  CERT_SIGNATURE_FAILURE: "authority",
  CERT_UNTRUSTED: "authority",
  DEPTH_ZERO_SELF_SIGNED_CERT: "authority",
  SELF_SIGNED_CERT_IN_CHAIN: "authority",
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: "authority",
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: "authority",
  UNABLE_TO_GET_ISSUER_CERT: "authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "authority",
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "notYetValid",
  ERR_TLS_CERT_ALTNAME_INVALID: "name",
  HOSTNAME_MISMATCH: "name",
  AKID_ISSUER_SERIAL_MISMATCH: "certificate",
  AKID_SKID_MISMATCH: "certificate",
  CRL_HAS_EXPIRED: "certificate",
  CRL_NOT_YET_VALID: "certificate",
  CRL_SIGNATURE_FAILURE: "certificate",
  ERROR_IN_CRL_LAST_UPDATE_FIELD: "certificate",
  ERROR_IN_CRL_NEXT_UPDATE_FIELD: "certificate",
  UNABLE_TO_DECRYPT_CRL_SIGNATURE: "certificate",
  UNABLE_TO_GET_CRL: "certificate",
  CA_MD_TOO_WEAK: "certificate",
  CA_KEY_TOO_SMALL: "certificate",
  CERT_CHAIN_TOO_LONG: "certificate",
  CERT_REJECTED: "certificate",
  CERT_REVOKED: "certificate",
  EE_KEY_TOO_SMALL: "certificate",
  ERR_TLS_CERT_ALTNAME_FORMAT: "certificate",
  ERROR_IN_CERT_NOT_AFTER_FIELD: "certificate",
  ERROR_IN_CERT_NOT_BEFORE_FIELD: "certificate",
  INVALID_CA: "certificate",
  INVALID_PURPOSE: "certificate",
  KEYUSAGE_NO_CERTSIGN: "certificate",
  PATH_LENGTH_EXCEEDED: "certificate",
  PERMITTED_SUBTREE_VIOLATION: "certificate",
  EXCLUDED_SUBTREE_VIOLATION: "certificate",
  UNHANDLED_CRITICAL_EXTENSION: "certificate",
  UNSUPPORTED_NAME_SYNTAX: "certificate",
};

/** Returns true if the client has refused the server's certificate, so that it has sent no request. */
export function isCertificateRefused(code: string | undefined): boolean {
  return code !== undefined && Object.hasOwn(problems, code);
}

/**
 * Says in place of the texts of Node.js and OpenSSL why a TLS connection failed, and which field to correct. Returns undefined for other failures.
 * `error` is an error of Node.js or undici.
 */
export function describeTlsFailure(error: unknown, fields: TlsFields): string | undefined {
  const { code, message } = membersOf(error);
  if (code === undefined) return undefined;
  if (code === "UND_ERR_PRX_TLS")
    return "the certificate of the proxy does not have the name of the proxy's URL; correct the URL, or replace the certificate";
  const problem = Object.hasOwn(problems, code) ? problems[code] : undefined;
  if (problem !== undefined) return describeProblem(problem, { code, fields });
  if (code.startsWith("ERR_OSSL_")) return describeUnusable(code, fields);
  return isOfHandshake(code) ? describeHandshake(code, message, fields) : undefined;
}

/** OpenSSL refuses certificates or keys before it connects. */
function describeUnusable(code: string, { authority, clientCertificate }: TlsFields): string {
  return `the certificates or the key of the connection are not usable (${code}); correct ${authority}, or ${clientCertificate} and its key`;
}

function isOfHandshake(code: string): boolean {
  return (
    code.startsWith("ERR_SSL_") || code === "EPROTO" || (code.startsWith("ERR_TLS_") && !code.endsWith("_TIMEOUT"))
  );
}

function describeProblem(
  problem: Problem,
  { code, fields }: { readonly code: string; readonly fields: TlsFields },
): string {
  const { authority, hasAuthority, name, nameField, hasSecureProxy } = fields;
  const certificate =
    hasSecureProxy === true ? "the certificate of the server or of its proxy" : "the server certificate";
  switch (problem) {
    case "authority":
      return hasAuthority
        ? `${certificate} is not signed by ${authority}; update that field if the authority of the server has changed`
        : `${certificate} is not signed by a trusted authority; set ${authority}`;
    case "expired":
      return `${certificate} or its authority has expired; renew it on the server, update ${authority} if the authority has changed, and check the local clock`;
    case "notYetValid":
      return `${certificate} or its authority is not valid yet; check the local clock and that of the server`;
    case "name":
      return `${certificate} is not valid for the name ${name}; correct ${nameField}`;
    case "certificate":
      return `${certificate} or its authority is not usable (${code}); replace the certificate of the server, or correct ${authority}`;
  }
}

/** Whether the server of a failed connection with TLS does not use TLS. `error` is an error of Node.js or undici. */
export function isWithoutTls(error: unknown): boolean {
  const { code = "", message } = membersOf(error);
  return isOfHandshake(code) && isPlainAnswer(handshakeText(code, message));
}

function handshakeText(code: string, message: string): string {
  return `${code} ${message}`.toLowerCase().replaceAll("_", " ");
}

function isPlainAnswer(text: string): boolean {
  return /wrong version number|packet length too long|http request/.test(text);
}

/** Failures before and beside the check of the server's certificate. Node.js reports some by the text of OpenSSL only. */
function describeHandshake(code: string, message: string, { clientCertificate }: TlsFields): string {
  const text = handshakeText(code, message);
  if (isPlainAnswer(text)) {
    return "the server does not answer with TLS; check scheme and port of its URL";
  }
  if (text.includes("alert certificate required")) {
    return `the server requires a client certificate; set ${clientCertificate}`;
  }
  if (/alert (bad certificate|certificate|unknown ca|unsupported certificate)/.test(text)) {
    return `the server refuses the client certificate; update ${clientCertificate}`;
  }
  const remedy = "check that both ends support a common TLS version and cipher";
  return `the TLS handshake failed${code === "EPROTO" ? "" : ` (${code})`}; ${remedy}`;
}

function membersOf(error: unknown): { readonly code: string | undefined; readonly message: string } {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return {
    code: typeof code === "string" ? code : undefined,
    message: typeof message === "string" ? message : "",
  };
}
