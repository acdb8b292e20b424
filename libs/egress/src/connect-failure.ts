/** The other end of a connection, in the words of messages. */
export interface ConnectFields {
  /** "server", or "proxy" if a proxy is dialled. */
  readonly peer: "server" | "proxy";
  /** Host that is dialled, without port. */
  readonly host: string;
  /** Holder of the address, such as "server of the kubeconfig". */
  readonly addressField: string;
}

type Explanation = (fields: ConnectFields) => string;

const noRoute: Explanation = ({ host, addressField }) =>
  `there is no route to the host ${host}; check the network, or correct ${addressField}`;
const notOpenedInTime: Explanation = ({ peer, addressField }) =>
  `the connection was not opened in time; check ${peer === "proxy" ? "the proxy, the server behind it, and the network" : "that the server runs, and the firewalls"}, or correct ${addressField}`;
const closed: Explanation = ({ peer }) =>
  `the connection was closed before the answer was complete; check that the ${peer} runs`;
const notAnsweredInTime: Explanation = ({ peer }) =>
  `the answer did not arrive in time; check the load of the ${peer}, and the network`;
const unknownHost: Explanation = ({ host, addressField }) =>
  `the host ${host} does not exist in DNS; correct ${addressField}`;
const noDns: Explanation = ({ host, addressField }) =>
  `DNS does not answer for the host ${host}; check the name servers, or correct ${addressField}`;
const notPermitted: Explanation = ({ host }) =>
  `the network of this process does not permit connections to ${host}; check its network policies and firewalls`;
const noResources: Explanation = () =>
  "this process has too few files, ports or too little memory for another connection; raise its limits, or retry later";
const wrongLength: Explanation = ({ peer }) =>
  `the answer has another length than it announces; check the ${peer}, and the proxies before it`;
const notResumable: Explanation = ({ peer }) =>
  `the answer broke off, and the ${peer} did not continue it; check the ${peer}, and the proxies before it`;
const tooLong: Explanation = ({ peer }) =>
  `the headers or the content of the answer are too long; check the ${peer}, and the proxies before it`;
const notHttp: Explanation = ({ peer, addressField }) =>
  `the ${peer} does not answer with HTTP; check the port, or correct ${addressField}`;
const damaged: Explanation = ({ peer }) =>
  `the compressed answer is damaged; check the ${peer}, and the proxies before it`;
const stopped: Explanation = () => "the request was stopped before its answer was complete; retry";
const defect: Explanation = () => "the HTTP client refuses the request, which is a defect of Landscaper; report it";
const noProxy: Explanation = ({ peer, addressField }) =>
  `the connection through the proxy failed; check the ${peer === "proxy" ? "proxy" : "proxy and the server"}, or correct ${addressField}`;

function explained(explanation: Explanation, codes: string): readonly (readonly [string, Explanation])[] {
  return codes.split(" ").map((code) => [code, explanation] as const);
}

/** By code of Node.js, its DNS and zlib, or undici. */
const explanations: ReadonlyMap<string, Explanation> = new Map([
  ...explained(
    ({ peer, addressField }) => `connection refused; start the ${peer}, or correct ${addressField}`,
    "ECONNREFUSED",
  ),
  ...explained(unknownHost, "ENOTFOUND ENODATA ENONAME EAI_NONAME EAI_NODATA EAI_ADDRFAMILY EBADNAME"),
  ...explained(
    noDns,
    "EAI_AGAIN EAI_FAIL EAI_CANCELED ESERVFAIL EREFUSED ETIMEOUT EBADRESP EFORMERR ENOTIMP ECANCELLED",
  ),
  ...explained(noRoute, "EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN ENONET EADDRNOTAVAIL"),
  ...explained(notOpenedInTime, "ETIMEDOUT UND_ERR_CONNECT_TIMEOUT ERR_TLS_HANDSHAKE_TIMEOUT"),
  ...explained(
    closed,
    "ECONNRESET ECONNABORTED EPIPE EOF ENOTCONN ESHUTDOWN UND_ERR_SOCKET UND_ERR_INFO ERR_STREAM_PREMATURE_CLOSE HPE_INVALID_EOF_STATE HPE_CLOSED_CONNECTION",
  ),
  ...explained(notAnsweredInTime, "UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT"),
  ...explained(notPermitted, "EACCES EPERM"),
  ...explained(noResources, "EMFILE ENFILE ENOBUFS ENOMEM EAI_MEMORY EAGAIN"),
  ...explained(wrongLength, "UND_ERR_RES_CONTENT_LENGTH_MISMATCH HPE_UNEXPECTED_CONTENT_LENGTH"),
  ...explained(notResumable, "UND_ERR_REQ_RETRY UND_ERR_RESPONSE"),
  ...explained(
    tooLong,
    "UND_ERR_HEADERS_OVERFLOW UND_ERR_RES_EXCEEDED_MAX_SIZE UND_ERR_WS_MESSAGE_SIZE_EXCEEDED HPE_HEADER_OVERFLOW",
  ),
  ...explained(damaged, "Z_BUF_ERROR Z_DATA_ERROR Z_NEED_DICT Z_STREAM_ERROR"),
  ...explained(
    stopped,
    "UND_ERR_ABORT UND_ERR_ABORTED UND_ERR_DESTROYED UND_ERR_CLOSED ABORT_ERR ERR_STREAM_DESTROYED ECANCELED",
  ),
  ...explained(noProxy, "UND_ERR_PRX_CONN"),
]);

/** For codes of a library that are not listed one by one. */
const families: readonly (readonly [RegExp, Explanation])[] = [
  [/^HPE_/, notHttp],
  [/^(BROTLI|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_ZSTD|ZSTD)_?/, damaged],
  [/^UND_ERR/, defect],
];

/**
 * Explains a failed connection, and which field to correct, without the texts of Node.js and undici. Returns undefined for other failures, such as those of
 * TLS. `error` is an error of Node.js or undici.
 */
export function describeConnectFailure(error: unknown, fields: ConnectFields): string | undefined {
  const { code, syscall } = (error ?? {}) as { readonly code?: unknown; readonly syscall?: unknown };
  // Some errors of undici's HTTP parser have no code.
  if (error instanceof Error && error.name === "HTTPParserError" && typeof code !== "string") return notHttp(fields);
  if (typeof code !== "string") return undefined;
  const isLookup = typeof syscall === "string" && /^(getaddrinfo|query)/.test(syscall);
  const ofFamily = families.find(([pattern]) => pattern.test(code))?.[1];
  const explanation = explanations.get(code) ?? ofFamily ?? (isLookup ? noDns : undefined);
  return explanation?.(fields);
}
