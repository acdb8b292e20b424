/** Texts of undici for a proxy that has refused a request. */
const refusal = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

const explanations: Readonly<Record<string, string>> = {
  "403": "it does not permit this server",
  "407": "it demands another user and password",
  "502": "it does not reach the server",
  "503": "it does not reach the server",
  "504": "it does not reach the server",
};

/** Whether the proxy has refused the connection, so that no byte of the request was sent. */
export function isRefusedByProxy(message: string): boolean {
  return refusal.test(message);
}

/** Says why a request through a proxy failed; `problem` is the failure as such. Names the proxy without its user and password. Pure. */
export function describeProxyFailure(problem: string, proxy: string | undefined): string {
  const url = proxy === undefined ? null : URL.parse(proxy);
  if (url === null) return problem;
  const place = `${url.protocol}//${url.host}`;
  const [, status] = refusal.exec(problem) ?? [];
  if (status === undefined) return `${problem} (through the proxy ${place})`;
  const explanation = explanations[status];
  return `the proxy ${place} answered ${status}${explanation === undefined ? "" : `: ${explanation}`}`;
}
