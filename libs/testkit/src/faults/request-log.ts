import type { ApiProxy } from "./api-proxy.ts";
import type { SeenRequest } from "./fault-plan.ts";
import { isJobWrite } from "./fault-plan.ts";

/** What has gone through a proxy. */
export interface RequestLog {
  /** "METHOD path" of the requests whose path contains the text, oldest first. */
  requests(part: string): string[];
  /** Of these the writes. */
  writes(part: string): string[];
  forget(): void;
}

/** Records every request of the processes behind the proxy. */
export function logRequests(proxy: ApiProxy): RequestLog {
  let seen: SeenRequest[] = [];
  proxy.setPlan((request) => {
    seen.push(request);
    return { type: "pass" };
  });
  const format = ({ method, path }: SeenRequest): string => `${method} ${path}`;
  const matching = (part: string): SeenRequest[] => seen.filter(({ path }) => path.includes(part));
  return {
    requests: (part) => matching(part).map(format),
    writes: (part) =>
      matching(part)
        .filter(({ method, path }) => isJobWrite(method, path))
        .map(format),
    forget: () => {
      seen = [];
    },
  };
}
