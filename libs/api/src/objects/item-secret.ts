import { deployItemKind, type DeployItem } from "../kinds/deploy-item.ts";
import { annotations } from "./annotations.ts";
import { apiVersion } from "./api-group.ts";
import type { Secret } from "./foreign-kinds.ts";
import type { KubeObject } from "./kube-object.ts";
import { exportSecretName } from "./names.ts";

/** The mark of an object: Environments whose accounts may write it; undefined without the annotation. */
export function environmentsMarkOf({ metadata }: Pick<DeployItem | Secret, "metadata">): string | undefined {
  return metadata.annotations?.[annotations.environments];
}

/**
 * Decides whether a Secret belongs to a DeployItem (docs/reference/deployer-management.md#secrets-of-a-deployitem).
 *
 * - `own`: the owner reference has the item's uid, and both have the same mark; or the Secret has neither owner nor mark, and
 *   its name is the name of the item's exports. Deployers outside Environments may write it so.
 * - `otherMark`: the owner reference has the item's uid, but the mark differs. An account of another Environment may have written the Secret.
 * - `foreign`: everything else.
 */
export function judgeItemSecret(secret: Secret, item: DeployItem): "own" | "otherMark" | "foreign" {
  const { ownerReferences = [], name } = secret.metadata;
  const { uid = "", name: itemName = "" } = item.metadata;
  const mark = environmentsMarkOf(secret);
  if (ownerReferences.length === 0) {
    return mark === undefined && name === exportSecretName(itemName) ? "own" : "foreign";
  }
  if (!ownerReferences.some((owner) => owner.uid === uid)) return "foreign";
  return mark === environmentsMarkOf(item) ? "own" : "otherMark";
}

/** Returns a Secret of a DeployItem: its owner is the item, and it has the item's mark, so that the accounts of the same Environments may write it. */
export function buildItemSecret(
  item: DeployItem,
  secret: Pick<Secret, "data"> & { readonly metadata: Partial<KubeObject["metadata"]> },
): Secret {
  const { namespace = "", name = "", uid = "" } = item.metadata;
  const mark = environmentsMarkOf(item);
  const metadata = {
    namespace,
    ...secret.metadata,
    annotations: {
      ...secret.metadata.annotations,
      ...(mark === undefined ? {} : { [annotations.environments]: mark }),
    },
    ownerReferences: [{ apiVersion, kind: deployItemKind.type.kind, name, uid }],
  };
  return { apiVersion: "v1", kind: "Secret", type: "Opaque", ...secret, metadata };
}
