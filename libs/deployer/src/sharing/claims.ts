import { isDeepStrictEqual } from "node:util";
import type { DeployItem } from "@landscaper/api";
import type { Clock } from "@landscaper/controller-runtime";
import { decideClaim, replicaIdentity, type Claim } from "./decide-claim.ts";
import type { Membership } from "./membership.ts";

/** Which items a process works on, and by what name. */
export interface Claims {
  /** `status.deployer.identity` of what it works on. */
  readonly holder: string;
  /** Of all replicas of its instance. */
  readonly identity: string;
  of(item: DeployItem): Claim;
  /** The item is gone. */
  forget(item: DeployItem): void;
}

export interface ClaimsOptions {
  readonly identity: string;
  readonly pod: string;
  readonly membership: Pick<Membership, "members" | "stateOf">;
  readonly clock: Pick<Clock, "elapsed">;
  readonly leaseDurationMs: number;
}

export function createClaims({ identity, pod, membership, clock, leaseDurationMs }: ClaimsOptions): Claims {
  /** Of items in work of holders without Lease: the status, and when it was first seen so. */
  const silent = new Map<string, { readonly status: DeployItem["status"]; readonly sinceMs: number }>();
  const silentMs = ({ metadata, status }: DeployItem): number => {
    const uid = metadata.uid ?? "";
    const known = silent.get(uid);
    const nowMs = clock.elapsed();
    if (known !== undefined && isDeepStrictEqual(known.status, status)) return nowMs - known.sinceMs;
    silent.set(uid, { status, sinceMs: nowMs });
    return 0;
  };
  const forget = ({ metadata }: DeployItem): void => void silent.delete(metadata.uid ?? "");
  return {
    holder: replicaIdentity(identity, pod),
    identity,
    forget,
    of: (item) => {
      const { members, stateOf } = membership;
      const claim = decideClaim(item, { identity, pod, members, stateOf, silentMs, leaseDurationMs });
      if (claim.type === "ours" || claim.type === "theirs") forget(item);
      return claim;
    },
  };
}
