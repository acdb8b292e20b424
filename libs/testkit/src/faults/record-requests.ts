import type { FaultRequest, LocalCluster } from "@landscaper/local-cluster";

/** Requests that an embedded server has got, oldest first. */
export interface RequestRecord {
  readonly requests: readonly FaultRequest[];
  /** "verb resource" of each, or "verb resource/subresource". */
  readonly lines: readonly string[];
  readonly forget: () => void;
  /** Also takes away a fault that was set since. */
  readonly stop: () => void;
}

/** Records the requests that match, watches included, and lets all pass; in place of the fault that was set on the server. */
export function recordRequests(
  server: Pick<LocalCluster, "setFault">,
  matches: (request: FaultRequest) => boolean = () => true,
): RequestRecord {
  const requests: FaultRequest[] = [];
  server.setFault((request) => {
    if (matches(request)) requests.push(request);
    return undefined;
  });
  return {
    requests,
    get lines() {
      return requests.map(({ verb, resource, subresource }) =>
        subresource === "" ? `${verb} ${resource}` : `${verb} ${resource}/${subresource}`,
      );
    },
    forget: () => void requests.splice(0),
    stop: () => server.setFault(undefined),
  };
}

/** Whether a request changes an object. */
export function isWrite({ verb }: FaultRequest): boolean {
  return ["create", "update", "patch", "delete", "deletecollection"].includes(verb);
}
