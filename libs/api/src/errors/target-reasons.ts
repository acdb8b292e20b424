import { entry } from "./reason-entry.ts";

/** Reasons of errors of target clusters, and of single objects there. */
export const targetReasons = {
  TargetKindUnknown: entry(
    "The target cluster does not know the kind of a manifest.",
    "Install its CRD first, or correct apiVersion and kind.",
  ),
  TargetUnauthorized: entry("The target cluster refused the Target's credentials.", "Renew the kubeconfig or token."),
  TargetForbidden: entry("The Target's user may not do this in the target cluster.", "Give it the rights."),
  TargetNamespaceTerminating: entry(
    "The namespace of an object is being deleted in the target cluster.",
    "Wait, or remove what keeps the namespace: its `status.conditions` name it.",
  ),
  TargetNamespaceMissing: entry(
    "The namespace of an object does not exist in the target cluster.",
    "Create the namespace, or add its manifest to the item. The job re-creates a removed Namespace of the item.",
  ),
  TargetObjectLost: entry(
    "An object was removed twice during the job; the job had re-created it once.",
    "Find the client that removes it, for example in the audit log of the target cluster, and trigger again.",
  ),
  TargetConflict: entry("Another client modified the object concurrently.", "No action needed; Landscaper retries."),
  TargetRefused: entry("The target cluster refused an object.", "Correct the manifest as the message says."),
  TargetObjectTooLarge: entry(
    "An object, with what others have added to it, is larger than the target cluster stores (about 1.5 MiB).",
    "Spread its content over several objects.",
  ),
  TargetUnavailable: entry("The target cluster has an internal problem.", "No action needed; Landscaper retries."),
  TargetUnreachable: entry("The target cluster did not answer.", "Check its address and the network."),
} as const;
