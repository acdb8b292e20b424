/** What undici says when a proxy has opened no tunnel. */
const refusedTunnel = /^Proxy response \((\d{3})\)/;

const explanations: Readonly<Record<string, string>> = {
  "403": "it does not permit this server",
  "407": "it demands another user and password",
  "502": "it does not reach the server",
  "503": "it does not reach the server",
  "504": "it does not reach the server",
};

/** Why a request failed that goes by a proxy; `problem` is the failure as such. Names the proxy without its user and password. Pure. */
export function describeProxyFailure(problem: string, proxy: string | undefined): string {
  const url = proxy === undefined ? null : URL.parse(proxy);
  if (url === null) return problem;
  const place = `${url.protocol}//${url.host}`;
  const [, status] = refusedTunnel.exec(problem) ?? [];
  if (status === undefined) return `${problem}, by the proxy ${place}`;
  const explanation = explanations[status];
  return `the proxy ${place} answered ${status}${explanation === undefined ? "" : `: ${explanation}`}`;
}
