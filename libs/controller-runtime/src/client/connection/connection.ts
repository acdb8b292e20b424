import { createSecureContext } from "node:tls";
import { bareHost, connectionSecrets, type ConnectFields, type EgressPolicy, type TlsFields } from "@landscaper/egress";

/** How to reach an API server, with all credentials inline (PEM texts, tokens). Never log it. */
export interface Connection {
  /** URL of the server, with an optional path prefix. */
  readonly server: string;
  /** PEM; the system's authorities when absent. */
  readonly ca?: string | undefined;
  /** PEM of the client certificate and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
  /** A token that changes; asked before every request, so it caches by itself. Wins over `token`. */
  readonly getToken?: (() => Promise<string>) | undefined;
  /** Told when the server has refused a token of `getToken` (401); the request is sent once more, with the next token. */
  readonly dropToken?: ((refused: string) => void) | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Name to verify in the server's certificate in place of the host. */
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
  /** The operator has named the proxy, by the environment of the process. Egress rules do not apply to its address. */
  readonly isOperatorsProxy?: boolean | undefined;
  /** Extra headers, e.g. impersonation. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Path of the kubeconfig that the connection was read from. */
  readonly kubeconfigPath?: string | undefined;
  /** Default: those of a kubeconfig. */
  readonly fields?: ConnectionFields | undefined;
  /** For connections that users describe; the service's own have none. */
  readonly egress?: ConnectionEgress | undefined;
}

/** Where users correct a connection, in the words of messages. */
export interface ConnectionFields {
  /** Holder of `ca`. */
  readonly authority: string;
  /** Holder of `server` and `tlsServerName`. */
  readonly server: string;
  /** Holder of `server`. */
  readonly address: string;
  /** Holder of `proxyUrl`. */
  readonly proxy: string;
}

/** Holder of the URL of a proxy that the operator has named. */
export const environmentProxyField = "HTTPS_PROXY in the environment of this process";

const kubeconfigFields: ConnectionFields = {
  authority: "certificate-authority-data of the kubeconfig",
  server: "server or tls-server-name of the kubeconfig",
  address: "server of the kubeconfig",
  proxy: "proxy-url of the kubeconfig",
};

/** The words for a TLS failure of the connection. */
export function tlsFieldsOf({ server, ca, tlsServerName, proxyUrl, fields = kubeconfigFields }: Connection): TlsFields {
  return {
    authority: fields.authority,
    hasAuthority: ca !== undefined,
    name: tlsServerName ?? URL.parse(server)?.hostname ?? "of the server",
    nameField: fields.server,
    clientCertificate: "client-certificate-data of the kubeconfig",
    hasSecureProxy: proxyUrl !== undefined && URL.parse(proxyUrl)?.protocol === "https:",
  };
}

/** The words for a failure to open the connection. */
export function connectFieldsOf({ server, proxyUrl, isOperatorsProxy, fields }: Connection): ConnectFields {
  const { address, proxy } = fields ?? kubeconfigFields;
  return {
    peer: proxyUrl === undefined ? "server" : "proxy",
    host: bareHost(URL.parse(proxyUrl ?? server)?.hostname ?? ""),
    addressField: proxyUrl === undefined ? address : isOperatorsProxy === true ? environmentProxyField : proxy,
  };
}

/** What restricts a connection, and the fields that its server and proxy stand in, for messages. */
export interface ConnectionEgress {
  readonly policy: EgressPolicy;
  readonly serverField: string;
  readonly proxyField: string;
}

/** What may stand in no text about the connection; `tokens` are those that it sent. */
export function secretsOf(connection: Connection, tokens: Iterable<string>): readonly string[] {
  const { server, proxyUrl, token, password, username = "", key, cert, headers = {} } = connection;
  const pair = password === undefined ? undefined : Buffer.from(`${username}:${password}`).toString("base64");
  const values = [...tokens, token, password, pair, key, cert, ...Object.values(headers)];
  return connectionSecrets({ values, urls: [server, proxyUrl] });
}

/** Headers that prove who we are. */
export async function authorizationHeaders(connection: Connection): Promise<Record<string, string>> {
  const token = connection.getToken === undefined ? connection.token : await connection.getToken();
  if (token !== undefined && token !== "") return { ...connection.headers, authorization: `Bearer ${token}` };
  if (connection.username !== undefined) {
    const pair = Buffer.from(`${connection.username}:${connection.password ?? ""}`).toString("base64");
    return { ...connection.headers, authorization: `Basic ${pair}` };
  }
  return { ...connection.headers };
}

/** Options of node:tls for this connection. The secure context, which is costly to make, is shared by all sockets. */
export function tlsOptions(connection: Connection): Record<string, unknown> {
  const { ca, cert, key } = connection;
  const credentials = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  return {
    ...(URL.parse(connection.server)?.protocol === "https:" ? { secureContext: createSecureContext(credentials) } : {}),
    ...(connection.tlsServerName === undefined ? {} : { servername: connection.tlsServerName }),
    rejectUnauthorized: connection.insecureSkipTlsVerify !== true,
  };
}
