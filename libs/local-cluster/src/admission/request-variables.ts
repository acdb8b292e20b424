import type { PolicyEnvironment } from "./policy-environment.ts";
import type { PolicyRequest } from "./policy-request.ts";

/** The values of `request` and `namespaceObject`. Empty texts are absent, as in the AdmissionRequest of the API. */
export function toRequestVariables(
  types: PolicyEnvironment,
  request: PolicyRequest,
): { readonly request: unknown; readonly namespaceObject: unknown } {
  const { group, version, kind, resource, subresource, name, namespace, operation, dryRun, user } = request;
  const value = {
    kind: { group, version, kind },
    resource: { group, version, resource },
    requestKind: { group, version, kind },
    requestResource: { group, version, resource },
    ...present({ subResource: subresource, requestSubResource: subresource, name, namespace }),
    operation,
    dryRun,
    userInfo: { ...present({ username: user.name, uid: user.uid ?? "" }), groups: user.groups, extra: {} },
  };
  return { request: types.request.convert(value), namespaceObject: toNamespaceValue(types, request) };
}

function present(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
}

/** Expressions on a namespace itself do not see it a second time. */
function toNamespaceValue(types: PolicyEnvironment, { namespaceObject, resource, group }: PolicyRequest): unknown {
  const isNamespace = resource === "namespaces" && group === "";
  return namespaceObject === undefined || isNamespace
    ? types.namespace.absent
    : types.namespace.convert(namespaceObject);
}
