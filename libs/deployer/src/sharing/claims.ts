import type { DeployItem } from "@landscaper/api";
import { decideClaim, replicaIdentity, type Claim } from "./decide-claim.ts";

/** Which items a replica works on, and by what name. */
export interface Claims {
  /** `status.deployer.identity` of what it works on. */
  readonly identity: string;
  /** Whether there may be others: then work between jobs has to be claimed, too. */
  readonly isShared: boolean;
  of(item: DeployItem): Claim;
}

/** One replica has all items. */
export function createSoleClaims(identity: string): Claims {
  return { identity, isShared: false, of: () => "ours" };
}

export interface SharedClaimsOptions {
  readonly identity: string;
  readonly pod: string;
  /** Pods that are alive; undefined = not known yet. */
  readonly members: () => readonly string[] | undefined;
}

export function createSharedClaims({ identity, pod, members }: SharedClaimsOptions): Claims {
  return {
    identity: replicaIdentity(identity, pod),
    isShared: true,
    of: (item) => decideClaim(item, { identity, pod, members: members() }),
  };
}
