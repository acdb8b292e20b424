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

/** By code of Node.js or undici. */
const explanations: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: ({ peer, addressField }) => `connection refused; start the ${peer}, or correct ${addressField}`,
  ENOTFOUND: ({ host, addressField }) => `the host ${host} does not exist in DNS; correct ${addressField}`,
  EAI_AGAIN: ({ host, addressField }) =>
    `DNS does not answer for the host ${host}; check the name servers, or correct ${addressField}`,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: notOpenedInTime,
  UND_ERR_CONNECT_TIMEOUT: notOpenedInTime,
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_HEADERS_TIMEOUT: notAnsweredInTime,
  UND_ERR_BODY_TIMEOUT: notAnsweredInTime,
};

/**
 * Explains a failed connection, and which field to correct, without the texts of Node.js and undici. Returns undefined for other failures, such as those of
 * TLS. `error` is an error of Node.js or undici.
 */
export function describeConnectFailure(error: unknown, fields: ConnectFields): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (typeof code !== "string" || !Object.hasOwn(explanations, code)) return undefined;
  return explanations[code]?.(fields);
}
