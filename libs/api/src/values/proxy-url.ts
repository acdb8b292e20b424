/** Proxy of HTTP connections. */
export interface ProxyUrl {
  /** Scheme, credentials, host and port. Secret if it has a login. */
  readonly url: URL;
  readonly hasLogin: boolean;
}

/** Reads `http://HOST:PORT` or `https://HOST:PORT`, with `USER:PASSWORD@` if the proxy demands a login. Undefined: something else. */
export function parseProxyUrl(text: string): ProxyUrl | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) return undefined;
  const hasMore = url.pathname !== "/" || url.search !== "" || url.hash !== "";
  if (hasMore || !isDecodable(url.username) || !isDecodable(url.password)) return undefined;
  return { url, hasLogin: url.username !== "" || url.password !== "" };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the proxy as an Environment may have it: scheme, host and port. Undefined: it has a login, or is no proxy. */
export function publicProxyOf(text: string): string | undefined {
  const proxy = parseProxyUrl(text);
  return proxy === undefined || proxy.hasLogin ? undefined : proxy.url.origin;
}
