import { annotations } from "./annotations.ts";
import { LandscaperError } from "../errors/error.ts";

/** Whether jobs are held back that would take away more than a change of a specification usually means. "off" is what the original does. */
export const emptyProtections = ["on", "off"] as const;
export type EmptyProtection = (typeof emptyProtections)[number];

/** Whether Targets, Contexts, Secrets and RoleBindings stay while DeployItems need them (docs/reference/protection.md). */
export const deletionProtections = ["on", "off"] as const;
export type DeletionProtection = (typeof deletionProtections)[number];

/** What a job may do of what is held back otherwise. */
export interface AllowedRemovals {
  /** To leave nothing where there was something. */
  readonly empty: boolean;
  /** To remove what holds the data of users: Namespaces, PersistentVolumeClaims, and CRDs with instances. */
  readonly prune: boolean;
}

/** What the annotations of an object allow, which are passed down from the Installation; everything where there is no protection. */
export function allowedRemovals(
  { annotations: own = {} }: { readonly annotations?: Readonly<Record<string, string>> | undefined },
  protection: EmptyProtection,
): AllowedRemovals {
  const isAllowed = (key: string): boolean => protection === "off" || own[key] === "true";
  return { empty: isAllowed(annotations.allowEmpty), prune: isAllowed(annotations.allowPrune) };
}

/** More do not fit into a message that is read. */
const maxListed = 10;

/** A job that would leave nothing. `what` says of what, such as "no object of the deploy item"; `removed` names what would go. */
export function emptyingError(what: string, removed: readonly string[]): LandscaperError {
  return heldBack("EmptyingHeldBack", `the job would leave ${what}: it would remove ${list(removed)}`, {
    hint: `to remove these objects, set the annotation ${annotations.allowEmpty}: "true" on the root Installation, and trigger it again`,
  });
}

/** A job that would remove what holds the data of users. */
export function pruningError(removed: readonly string[]): LandscaperError {
  return heldBack("PruningHeldBack", `the job would remove ${list(removed)}, and what is in there`, {
    hint: `to keep an object, put it back with policy: keep, or in a chart with the annotation helm.sh/resource-policy: keep; to delete it with everything in it (of a Namespace all its objects, of a CustomResourceDefinition all instances in all namespaces, of a PersistentVolumeClaim its data), set the annotation ${annotations.allowPrune}: "true" on the root Installation, and trigger it again`,
  });
}

function heldBack(reason: string, message: string, { hint }: { readonly hint: string }): LandscaperError {
  return new LandscaperError({
    message,
    reason,
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
    hint,
  });
}

/** Whether a job was held back before its first write. */
export function isHeldBack(error: unknown): error is LandscaperError {
  return error instanceof LandscaperError && ["EmptyingHeldBack", "PruningHeldBack"].includes(error.reason);
}

function list(names: readonly string[]): string {
  const more = names.length - maxListed;
  return [...names.slice(0, maxListed), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
