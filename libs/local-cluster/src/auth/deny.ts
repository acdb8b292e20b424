import { StatusError } from "../status/status-error.ts";
import type { AccessRequest } from "./authorizer.ts";
import type { User } from "./user.ts";

/** The 403 answer to a request that no rule allows. */
export function denied(user: User, access: AccessRequest): StatusError {
  if (access.type === "path") {
    return new StatusError({
      code: 403,
      reason: "Forbidden",
      message: `forbidden: User "${user.name}" cannot ${access.verb} path "${access.path}"`,
      details: {},
    });
  }
  const { group, resource, subresource, namespace, name, verb } = access;
  const plural = group === "" ? resource : `${resource}.${group}`;
  const subject = name === "" ? plural : `${plural} "${name}"`;
  const wanted = subresource === "" ? resource : `${resource}/${subresource}`;
  const scope = namespace === "" ? "at the cluster scope" : `in the namespace "${namespace}"`;
  return new StatusError({
    code: 403,
    reason: "Forbidden",
    message:
      `${subject} is forbidden: User "${user.name}" cannot ${verb} resource "${wanted}" in API group "${group}" ` +
      scope,
    details: { ...(name === "" ? {} : { name }), ...(group === "" ? {} : { group }), kind: resource },
  });
}
