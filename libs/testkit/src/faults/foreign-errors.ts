import dns from "node:dns";
import { getSystemErrorMap } from "node:util";
import { constants } from "node:zlib";
import { YAMLParseError } from "yaml";

/** An error of the runtime or of a library. Its message is `foreignText` and must not reach users. */
export interface ForeignError {
  readonly library: "undici" | "tls" | "openssl" | "dns" | "network" | "zlib" | "fs" | "yaml" | "ajv" | "nats" | "node";
  /** The code, or the type of an error without one. */
  readonly name: string;
  readonly error: Error;
}

/** Text that the message and the causes of each error contain. */
export const foreignText = "words of a library with user:hunter2@10.0.0.1";

const codes = {
  undici:
    "UND_ERR UND_ERR_ABORT UND_ERR_ABORTED UND_ERR_BODY_TIMEOUT UND_ERR_BPL_MISSING_UPSTREAM UND_ERR_CLOSED UND_ERR_CONNECT_TIMEOUT UND_ERR_DESTROYED UND_ERR_HEADERS_OVERFLOW UND_ERR_HEADERS_TIMEOUT UND_ERR_INFO UND_ERR_INVALID_ARG UND_ERR_INVALID_RETURN_VALUE UND_ERR_MAX_ORIGINS_REACHED UND_ERR_NOT_SUPPORTED UND_ERR_PRX_CONN UND_ERR_PRX_TLS UND_ERR_REDIRECT_MAX UND_ERR_REQ_CONTENT_LENGTH_MISMATCH UND_ERR_REQ_RETRY UND_ERR_RESPONSE UND_ERR_RES_CONTENT_LENGTH_MISMATCH UND_ERR_RES_EXCEEDED_MAX_SIZE UND_ERR_SOCKET UND_ERR_WS_MESSAGE_SIZE_EXCEEDED HPE_INVALID_CONSTANT HPE_INVALID_EOF_STATE HPE_HEADER_OVERFLOW HPE_UNEXPECTED_CONTENT_LENGTH",
  tls: "CERT_CHAIN_TOO_LONG CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REJECTED CERT_REVOKED CERT_SIGNATURE_FAILURE CERT_UNTRUSTED CRL_HAS_EXPIRED CRL_NOT_YET_VALID CRL_SIGNATURE_FAILURE DEPTH_ZERO_SELF_SIGNED_CERT ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CRL_LAST_UPDATE_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_GET_CRL UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_FORMAT ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_HANDSHAKE_TIMEOUT ERR_TLS_INVALID_CONTEXT ERR_TLS_INVALID_STATE",
  openssl:
    "EPROTO ERR_SSL_CERTIFICATE_VERIFY_FAILED ERR_SSL_NO_SHARED_CIPHER ERR_SSL_PACKET_LENGTH_TOO_LONG ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_TLSV1_ALERT_UNKNOWN_CA ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED ERR_SSL_UNSUPPORTED_PROTOCOL ERR_SSL_WRONG_VERSION_NUMBER ERR_OSSL_ASN1_WRONG_TAG ERR_OSSL_BAD_DECRYPT ERR_OSSL_PEM_NO_START_LINE ERR_OSSL_UNSUPPORTED ERR_OSSL_X509_KEY_VALUES_MISMATCH",
  node: "ABORT_ERR ERR_INVALID_ARG_TYPE ERR_INVALID_URL ERR_OUT_OF_RANGE ERR_STREAM_DESTROYED ERR_STREAM_PREMATURE_CLOSE",
  network:
    "EADDRNOTAVAIL ECONNABORTED ECONNREFUSED ECONNRESET EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ENOBUFS ENOTCONN EPIPE ETIMEDOUT",
} as const;

const dnsCodes = [
  ...new Set([
    ...Object.values(dns).flatMap((value: unknown) =>
      typeof value === "string" && /^E[A-Z]+$/.test(value) ? [value] : [],
    ),
    ...systemCodes().filter((code) => code.startsWith("EAI_")),
  ]),
].filter((code) => code !== "EOF" && code !== "ENOMEM");

function systemCodes(): readonly string[] {
  return [...getSystemErrorMap().values()].map(([code]) => code);
}

function errorOf(name: string, fields: object = {}): Error {
  const cause = Object.assign(new Error(foreignText), { reason: foreignText });
  return Object.assign(new Error(foreignText, { cause }), { code: name, ...fields });
}

function named(name: string, fields: object = {}): Error {
  return Object.assign(new Error(foreignText), { name, ...fields });
}

/** Returns one error for each code of Node.js and its libraries, and the errors of the parsers and of the NATS client. */
export function createForeignErrors(): readonly ForeignError[] {
  const listed = Object.entries(codes).flatMap(([library, names]) =>
    names.split(" ").map((name) => {
      const fields = library === "network" ? { syscall: "connect", address: "10.0.0.1", port: 443 } : {};
      // The keys are libraries.
      return { library: library as keyof typeof codes, name, error: errorOf(name, fields) };
    }),
  );
  const zlibCodes = Object.keys(constants).filter((name) => /^Z_\w+_ERROR$|^Z_NEED_DICT$/.test(name));
  const fileCodes = systemCodes().filter((code) => !code.startsWith("EAI_") && code !== "EOF" && code !== "UNKNOWN");
  const yaml = new YAMLParseError([0, 1], "BAD_INDENT", foreignText);
  const ajv = named("ValidationError", { errors: [{ keyword: "type", message: foreignText }], ajv: true });
  const nats = ["ConnectionError", "RequestError", "ProtocolError", "InvalidArgumentError", "DrainingConnectionError"];
  return [
    ...listed,
    ...dnsCodes.map((name) => ({
      library: "dns" as const,
      name,
      error: errorOf(name, { syscall: "getaddrinfo", hostname: foreignText }),
    })),
    ...zlibCodes.map((name) => ({ library: "zlib" as const, name, error: errorOf(name, { errno: -3 }) })),
    ...fileCodes.map((name) => ({
      library: "fs" as const,
      name,
      error: errorOf(name, { syscall: "open", path: "/data/values.yaml" }),
    })),
    { library: "yaml", name: "YAMLParseError", error: yaml },
    { library: "ajv", name: "ValidationError", error: ajv },
    { library: "node", name: "TypeError", error: new TypeError(foreignText) },
    ...nats.map((name) => ({ library: "nats" as const, name, error: named(name) })),
  ];
}
