import { LandscaperError } from "@landscaper/api";
import {
  bareHost,
  connectionSecrets,
  createProxyDispatcher,
  describeProxyFailure,
  describeRequestFailure,
  EgressError,
  environmentProxy,
  maskFailure,
  type EgressPolicy,
  type ProxyEnvironment,
  type TlsFields,
} from "@landscaper/egress";
import type { buildConnector, Dispatcher } from "undici";
import type { FindCertificates, HostCertificates } from "./host-certificates.ts";
import { ociError } from "./oci-error.ts";
import { watchRequests, type RequestWatch } from "./request-watch.ts";

export interface TransportRequest {
  readonly method: "GET" | "HEAD" | "PATCH" | "POST" | "PUT";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | string | undefined;
  /** PEM that is trusted for the host of `url` beside the usual authorities. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
  /** False: what fails is not tried again. */
  readonly repeat?: boolean | undefined;
  /** If false, a redirect is the answer. Default: true. */
  readonly followsRedirects?: boolean | undefined;
  /** Names of headers in lower case, in addition to those for credentials. Sent only to the origin of `url`; redacted in messages. */
  readonly secretHeaders?: readonly string[] | undefined;
}

export interface TransportAnswer {
  readonly status: number;
  /** Who has answered: after redirects another one than was asked. */
  readonly origin: string;
  /** Names in lower case; of several values the first. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Must be read to its end or destroyed. */
  readonly body: Dispatcher.ResponseData["body"];
}

export interface TransportOptions {
  readonly userAgent: string;
  /** PEM that is trusted for all hosts beside the system's authorities. */
  readonly ca?: string | undefined;
  readonly insecureSkipVerify?: boolean | undefined;
  /** The operator's certificates for single hosts. Default: none. */
  readonly certificates?: FindCertificates | undefined;
  /** Which hosts may be requested. Default: all. */
  readonly egress?: EgressPolicy | undefined;
  /** Requests to one host at a time. */
  readonly maxConnectionsPerHost?: number | undefined;
  /** Until the answer begins, and between two parts of it. */
  readonly timeoutMs?: number | undefined;
  /** Time limit of a whole GET, HEAD or POST, including retries, until the answer is read. */
  readonly totalTimeoutMs?: number | undefined;
  /** Aborts every request when it is aborted; its reason is the error. */
  readonly limit?: AbortSignal | undefined;
  readonly watch?: RequestWatch | undefined;
  /** How often a request is repeated after 429, 5xx or a lost connection, and the first pause, which doubles. */
  readonly retries?: number | undefined;
  readonly retryPauseMs?: number | undefined;
  /** With the variables of proxies. Default: that of the process. */
  readonly environment?: ProxyEnvironment | undefined;
}

export interface Transport {
  /** Any answer but a redirect of a GET or HEAD. Throws LandscaperError when there is none. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}

const defaults = {
  maxConnectionsPerHost: 8,
  timeoutMs: 60_000,
  totalTimeoutMs: 300_000,
  retries: 4,
  retryPauseMs: 500,
};
const connectTimeoutMs = 10_000;
const maxRetryPauseMs = 30_000;
const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Those of undici, and 429. */
const retriedStatuses = [429, 500, 502, 503, 504];
/** Of which no other host may hear. */
const credentialHeaders = ["authorization", "cookie", "proxy-authorization"];

/**
 * HTTP with bounded connections per host, pauses and repetitions on 429, 5xx and lost connections, proxies by HTTP_PROXY, HTTPS_PROXY
 * and NO_PROXY (docs/reference/proxies.md), and redirects that lose credentials when they leave the host and never leave https.
 */
export function createTransport(options: TransportOptions): Transport {
  const dispatchers = createDispatchers(options);
  const sendOnce = async (request: TransportRequest): Promise<TransportAnswer> => {
    const { method, url, body } = request;
    const proxy = environmentProxy(url, options.environment ?? process.env);
    const own = url.protocol === "https:" ? await options.certificates?.(url.host) : undefined;
    const { signal, end } = limitTime(request, options);
    try {
      await checkEgress(url, { egress: options.egress, hasProxy: proxy !== undefined });
      const dispatcher = await dispatchers.find(url, { ca: request.ca, own, proxy });
      signal.throwIfAborted();
      const { request: send } = await import("undici");
      const headers = { "user-agent": options.userAgent, ...request.headers };
      const repeat = request.repeat === false ? { retryOptions: { maxRetries: 0 } } : {};
      const sending = send(url, { method, headers, body: body ?? null, signal, dispatcher, ...repeat });
      const answer = await endingWith(signal, sending);
      answer.body.once("close", end);
      return { status: answer.statusCode, origin: url.origin, headers: firstValues(answer.headers), body: answer.body };
    } catch (error) {
      end();
      signal.throwIfAborted();
      const hasAuthority = [options.ca, request.ca, own?.ca].some((pem) => pem !== undefined);
      throw unreachable(placeOf(url), error, { url, proxy, hasAuthority });
    }
  };
  /** What a redirect leads to is judged like what was asked for; the message names both hosts. */
  const sendHop = async (request: TransportRequest, hop: number, { origin }: URL): Promise<TransportAnswer> => {
    try {
      return await sendOnce(request);
    } catch (error) {
      const place = `redirect ${hop} of ${origin}`;
      if (hop === 0 || !(error instanceof LandscaperError) || request.signal.aborted) throw error;
      if (error instanceof EgressError) throw error.within(place);
      const { host } = error;
      throw ociError({ reason: "RegistryUnreachable", message: `${place}: ${error.message}`, host, cause: error });
    }
  };
  const sendAll = async (request: TransportRequest): Promise<TransportAnswer> => {
    let current = request;
    for (let hop = 0; ; hop++) {
      const answer = await sendHop(current, hop, request.url);
      const { location } = answer.headers;
      const isRead = current.method === "GET" || current.method === "HEAD";
      if (
        !isRead ||
        request.followsRedirects === false ||
        !redirectStatuses.has(answer.status) ||
        location === undefined
      )
        return answer;
      await discard(answer);
      if (hop >= maxRedirects) throw refuseRedirect(request.url, `more than ${maxRedirects} redirects`);
      current = follow(current, location);
    }
  };
  return {
    async send(request) {
      try {
        return await sendAll(request);
      } catch (error) {
        throw maskFailure(error, secretsOf(request));
      }
    },
    close: async () => dispatchers.close(),
  };
}

/** Plain http through a proxy: undici keeps something for each host until its dispatcher is closed. */
const maxProxiedHosts = 200;

interface Dispatchers {
  find(url: URL, place: DispatcherPlace): Promise<Dispatcher>;
  close(): Promise<void>;
}

/** Dispatchers by proxy, authorities and client certificate. */
function createDispatchers(options: TransportOptions): Dispatchers {
  const known = new Map<string, { readonly made: Promise<Dispatcher>; readonly hosts: Set<string> }>();
  return {
    find: async (url, place) => {
      const { ca, own, proxy } = place;
      // A client certificate is shown to its own host alone.
      const key = JSON.stringify([proxy?.href, ca, ...(own === undefined ? [] : [url.host, own])]);
      const found = known.get(key);
      const isFull = found !== undefined && found.hosts.size >= maxProxiedHosts && !found.hosts.has(url.host);
      // It ends when its requests have ended.
      if (isFull) void found.made.then(async (dispatcher) => dispatcher.close()).catch(ignore);
      const entry =
        found === undefined || isFull ? { made: createDispatcher(options, place), hosts: new Set<string>() } : found;
      known.set(key, entry);
      if (proxy !== undefined && url.protocol === "http:") entry.hosts.add(url.host);
      return await entry.made;
    },
    close: async () => {
      const open = [...known.values()];
      known.clear();
      await Promise.allSettled(open.map(async ({ made }) => (await made).destroy()));
    },
  };
}

/** A signal that is also aborted when the whole request takes too long: a server may send a byte now and then for ever. */
function limitTime(
  { method, url, signal: requested }: TransportRequest,
  { totalTimeoutMs = defaults.totalTimeoutMs, limit: total }: TransportOptions,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const signal = total === undefined ? requested : AbortSignal.any([requested, total]);
  // PUT and PATCH send content, which may take long.
  if (method === "PUT" || method === "PATCH") return { signal, end: ignore };
  const limit = new AbortController();
  const message = `${placeOf(url)}: no complete answer within ${totalTimeoutMs / 1000} s`;
  const late = ociError({ reason: "RegistryUnreachable", message, host: url.host });
  const timer = setTimeout(() => limit.abort(late), totalTimeoutMs);
  timer.unref();
  return { signal: AbortSignal.any([signal, limit.signal]), end: () => clearTimeout(timer) };
}

/** The pause after a connection that was refused knows nothing of the signal. */
async function endingWith(
  signal: AbortSignal,
  sending: Promise<Dispatcher.ResponseData>,
): Promise<Dispatcher.ResponseData> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
      // What comes in spite of it is of no use to anybody.
      void sending.then(({ body }) => body.destroy(), ignore);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([sending, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener("abort", abort);
  }
}

function ignore(): void {}

interface DispatcherPlace {
  readonly ca: string | undefined;
  readonly own: HostCertificates | undefined;
  readonly proxy: URL | undefined;
}

async function createDispatcher(options: TransportOptions, { ca, own, proxy }: DispatcherPlace): Promise<Dispatcher> {
  const { Agent, buildConnector, interceptors } = await import("undici");
  const { rootCertificates } = await import("node:tls");
  const extra = [options.ca, ca, own?.ca].filter((pem) => pem !== undefined);
  const timeout = options.timeoutMs ?? defaults.timeoutMs;
  const tls = {
    ...(extra.length === 0 ? {} : { ca: [...rootCertificates, ...extra] }),
    ...own?.client,
    rejectUnauthorized: options.insecureSkipVerify !== true,
  };
  const settings = { headersTimeout: timeout, bodyTimeout: timeout };
  const connections = options.maxConnectionsPerHost ?? defaults.maxConnectionsPerHost;
  const connect = (): ReturnType<typeof connectorOf> =>
    connectorOf({ timeout: connectTimeoutMs, ...tls }, { buildConnector, egress: options.egress });
  const agent =
    proxy === undefined
      ? new Agent({ ...settings, connections, connect: connect() })
      : await createProxyDispatcher({ proxy, connections, connectTimeoutMs, settings, requestTls: tls });
  const retrying = agent.compose(
    interceptors.retry({
      maxRetries: options.retries ?? defaults.retries,
      minTimeout: options.retryPauseMs ?? defaults.retryPauseMs,
      maxTimeout: maxRetryPauseMs,
      methods: ["GET", "HEAD", "PUT"],
      statusCodes: retriedStatuses,
      // What the last attempt answered is told by us.
      throwOnError: false,
    }),
  );
  return options.watch === undefined ? retrying : retrying.compose(watchRequests(options.watch));
}

/** Connects to the addresses that the policy has judged. */
function connectorOf(
  options: buildConnector.BuildOptions,
  { buildConnector: build, egress }: { buildConnector: typeof buildConnector; egress: EgressPolicy | undefined },
): buildConnector.BuildOptions | buildConnector.connector {
  if (egress === undefined) return options;
  const connectors = new Map<number, buildConnector.connector>();
  return (to, callback) => {
    const port = to.port === "" ? (to.protocol === "https:" ? 443 : 80) : Number(to.port);
    const connect = connectors.get(port) ?? build({ ...options, lookup: egress.lookupFor(port) });
    connectors.set(port, connect);
    connect(to, callback);
  };
}

/** The operator's proxy is not judged. Rejects with EgressError. */
async function checkEgress(
  url: URL,
  { egress, hasProxy }: { readonly egress: EgressPolicy | undefined; readonly hasProxy: boolean },
): Promise<void> {
  egress?.checkUrl(url, hasProxy ? "proxied" : "direct");
  if (hasProxy) await egress?.checkAddresses(url);
}

/** What a server learns from a request, and may put into a Location or a certificate. */
function secretsOf(request: TransportRequest): readonly string[] {
  const { headers = {}, body, url } = request;
  const values = Object.entries(headers).flatMap(([name, value]) =>
    isSecretHeader(name, request) ? [value, value.replace(/^\w+ /, "")] : [],
  );
  const form = typeof body === "string" ? new URLSearchParams(body).get("refresh_token") : null;
  return connectionSecrets({ values: [...values, form ?? undefined], urls: [url.href] });
}

function isSecretHeader(name: string, { secretHeaders = [] }: TransportRequest): boolean {
  const own = name.toLowerCase();
  return credentialHeaders.includes(own) || secretHeaders.includes(own);
}

function follow(request: TransportRequest, location: string): TransportRequest {
  const url = URL.parse(location, request.url.href);
  if (url === null) throw refuseRedirect(request.url, "a redirect: its Location is not a URL");
  if (url.protocol !== "https:" && url.protocol !== request.url.protocol) {
    // The rest of the Location is the server's text.
    const to = url.protocol === "http:" ? "http://" : "another scheme";
    throw refuseRedirect(request.url, `a redirect from ${request.url.protocol}// to ${to}`);
  }
  if (url.origin === request.url.origin) return { ...request, url };
  const headers = Object.entries(request.headers ?? {}).filter(([name]) => !isSecretHeader(name, request));
  return { ...request, url, headers: Object.fromEntries(headers), ca: undefined };
}

function refuseRedirect(url: URL, problem: string): Error {
  return ociError({
    reason: "InvalidRegistryAnswer",
    message: `${placeOf(url)}: refused ${problem}`,
    hint: "correct the URL, or the redirects of the server",
  });
}

/** Without query, which may hold signatures. */
export function placeOf(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Frees the connection. */
export async function discard({ body }: TransportAnswer): Promise<void> {
  // The connection may break meanwhile: nobody is interested any more.
  await body.dump({ limit: 64 * 1024 }).catch(() => {});
}

function firstValues(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value[0] : value]),
  );
}

/** How a request was sent that failed. */
interface FailedRequest {
  readonly url: URL;
  readonly proxy: URL | undefined;
  /** Whether there are authorities beside those of the system. */
  readonly hasAuthority: boolean;
}

/** What connecting or reading a body threw. `sent` is undefined while a body is read. */
export function unreachable(place: string, error: unknown, sent?: FailedRequest): LandscaperError {
  if (error instanceof EgressError) return error.within(place);
  if (error instanceof LandscaperError) return error;
  const problem = describeProxyFailure(describe(error, sent), sent?.proxy?.href);
  const host = sent?.url.host;
  return ociError({ reason: "RegistryUnreachable", message: `${place}: ${problem}`, host, cause: error });
}

function tlsFieldsOf({ url, proxy, hasAuthority }: FailedRequest): TlsFields {
  return {
    authority: "the certificate authority of the host's credentials",
    hasAuthority,
    name: url.hostname,
    nameField: "the host of the registry, or the certificate of the server",
    clientCertificate: "the client certificate of the host in the folder of certificates",
    hasSecureProxy: proxy?.protocol === "https:",
  };
}

/** Explains why a request got no complete answer. `sent` is undefined if the connection was open. */
function describe(error: unknown, sent: FailedRequest | undefined): string {
  const { url, proxy } = sent ?? {};
  const peer = proxy === undefined ? "server" : "proxy";
  const host = bareHost((proxy ?? url)?.hostname ?? "");
  const addressField =
    peer === "proxy" ? "HTTP_PROXY or HTTPS_PROXY in the environment of this process" : "the host of the URL";
  const tls = sent === undefined ? undefined : tlsFieldsOf(sent);
  return describeRequestFailure(error, { connect: { peer, host, addressField }, tls });
}
