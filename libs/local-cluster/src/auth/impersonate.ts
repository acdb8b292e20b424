import type { IncomingHttpHeaders } from "node:http";
import { StatusError } from "../status/status-error.ts";
import type { AccessRequest, Authorizer } from "./authorizer.ts";
import { denied } from "./deny.ts";
import type { User } from "./user.ts";

const extraPrefix = "impersonate-extra-";

/**
 * The user that a request asks to be taken for (kubectl --as), or the user who makes it. Throws 403 for who may not impersonate and 500, as
 * the real server, for groups without a user.
 */
export function impersonate(authorizer: Authorizer, user: User, headers: IncomingHttpHeaders): User {
  const name = valuesOf(headers, "impersonate-user")[0];
  const groups = valuesOf(headers, "impersonate-group");
  const uid = valuesOf(headers, "impersonate-uid")[0];
  const extra = Object.keys(headers)
    .filter((header) => header.startsWith(extraPrefix))
    .map((header) => [decodeURIComponent(header.slice(extraPrefix.length)), valuesOf(headers, header)] as const);
  if (name === undefined) {
    if (groups.length === 0 && uid === undefined && extra.length === 0) return user;
    throw new StatusError({
      code: 500,
      reason: "InternalError",
      message: "Internal error occurred: requested impersonation of groups, a uid or extra fields without a user",
    });
  }
  for (const access of accessesFor(name, groups, { uid, extra })) {
    if (!authorizer.isAllowed(user, access)) throw denied(user, access);
  }
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    groups: groupsOf(name, groups),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

interface Others {
  readonly uid: string | undefined;
  readonly extra: readonly (readonly [string, readonly string[]])[];
}

/** What the requesting user must be allowed to do. */
function accessesFor(name: string, groups: readonly string[], { uid, extra }: Others): readonly AccessRequest[] {
  const account = accountOf(name);
  const authentication = "authentication.k8s.io";
  return [
    account === undefined
      ? access({ resource: "users", name })
      : access({ resource: "serviceaccounts", namespace: account.namespace, name: account.name }),
    ...groups.map((group) => access({ resource: "groups", name: group })),
    ...(uid === undefined ? [] : [access({ group: authentication, resource: "uids", name: uid })]),
    ...extra.flatMap(([key, values]) =>
      values.map((value) => access({ group: authentication, resource: "userextras", subresource: key, name: value })),
    ),
  ];
}

function access(fields: Partial<AccessRequest & { type: "resource" }>): AccessRequest {
  const empty = { group: "", resource: "", subresource: "", namespace: "", name: "" };
  return { ...empty, ...fields, type: "resource", verb: "impersonate" };
}

function accountOf(name: string): { readonly namespace: string; readonly name: string } | undefined {
  const match = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { namespace: match[1], name: match[2] };
}

function groupsOf(name: string, groups: readonly string[]): readonly string[] {
  const account = accountOf(name);
  const own =
    account === undefined || groups.length > 0
      ? groups
      : ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`];
  const isAnonymous = name === "system:anonymous";
  return own.includes("system:authenticated") || isAnonymous ? own : [...own, "system:authenticated"];
}

/** node:http joins repeated headers by a comma. */
function valuesOf(headers: IncomingHttpHeaders, name: string): readonly string[] {
  const value = headers[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : value.split(",").map((part) => part.trim());
}
