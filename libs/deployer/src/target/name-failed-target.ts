import { formatKey, keyOf, LandscaperError, type Target } from "@landscaper/api";
import type { ClusterAccess } from "./cluster-access.ts";

/** A Target whose cluster a pass has used. */
export interface UsedTarget {
  readonly target: Target;
  readonly type: ClusterAccess["type"];
  /** URL of its API server. */
  readonly server: string;
}

/** Reasons of errors that the access data of a Target can cause. */
const accessReasons: ReadonlySet<string> = new Set(["TargetUnreachable", "TargetUnauthorized"]);

/**
 * The error of a target cluster that does not answer or refuses the credentials, with the name of the Target, and where its access data are. Other errors
 * are returned unchanged. `used` are the Targets that the failed request may have gone to.
 */
export function nameFailedTarget(error: unknown, used: readonly UsedTarget[]): unknown {
  if (!(error instanceof LandscaperError) || !accessReasons.has(error.reason)) return error;
  const { host, message, reason } = error;
  const candidates = used.filter(({ server }) => host === undefined || URL.parse(server)?.host === host);
  if (candidates.length === 0) return error;
  const names = candidates.map(({ target }) => `Target ${formatKey(keyOf(target))}`).join(" or ");
  const remedies = new Set(candidates.map((one) => remedyOf(one, reason)));
  const hint = [...(error.hint === undefined ? [] : [error.hint]), ...remedies].join("; ");
  return error.with({ message: `${names}: ${message}`, hint });
}

function remedyOf({ target, type }: UsedTarget, reason: string): string {
  const { namespace, name } = target.metadata;
  const { secretRef } = target.spec;
  const key = secretRef?.key === undefined || secretRef.key === "" ? "" : `, key ${secretRef.key}`;
  const holder =
    secretRef === undefined
      ? `spec.config of Target ${namespace}/${name}`
      : `Secret ${namespace}/${secretRef.name}${key}`;
  if (reason === "TargetUnreachable") return `the access data are in ${holder}`;
  const isToken = type === "oidc" || type === "self";
  return isToken
    ? `the API server refuses the token: check that it trusts tokens of the ServiceAccount in ${holder}`
    : `the API server refuses the credentials: renew the token or client certificate of the kubeconfig in ${holder}`;
}
