/** Parts of NATS_URL. The client library ignores scheme and credentials in its addresses. */
export interface NatsServers {
  /** "host:port" */
  readonly addresses: string[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly demandsTls: boolean;
}

const defaultPort = "4222";

/** Parses "nats://user:password@host:4222,tls://other". Throws TypeError for an invalid text, without repeating it. */
export function parseServers(text: string): NatsServers {
  const urls = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(parseServer);
  const credentials = urls.find(({ username }) => username !== "");
  return {
    addresses: urls.map(({ hostname, port }) => `${hostname}:${port === "" ? defaultPort : port}`),
    user: credentials === undefined ? undefined : decode(credentials.username),
    password: credentials === undefined ? undefined : decode(credentials.password),
    demandsTls: urls.some(({ protocol }) => protocol === "tls:"),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError('NATS servers: user and password must be percent-encoded: write "%25" for "%"');
  }
}

function parseServer(text: string): URL {
  const withScheme = text.includes("://") ? text : `nats://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined || url.hostname === "" || !["nats:", "tls:"].includes(url.protocol)) {
    throw new TypeError('NATS servers: expected "nats://host:port" or "tls://host:port", separated by commas');
  }
  return url;
}
