import { groupName } from "../objects/api-group.ts";
import type { Right } from "./right.ts";

const read = ["get", "list", "watch"];
const write = ["create", "update", "patch", "delete"];

/** What users make themselves. */
const made = ["installations", "dataobjects", "targets", "contexts"];
/** Where Targets and component versions of a namespace come from. */
const sources = ["targetsyncs", "componentversionoverwrites"];

function rightsOf(resources: readonly string[], verbs: readonly string[], why: string): Right {
  return { group: groupName, resources, verbs, why };
}

/** Aggregated to "view". */
export const viewRights: readonly Right[] = [
  rightsOf(
    ["installations", "contexts", ...sources],
    read,
    "Reads what has no credentials and no secret values in it: Targets may hold kubeconfigs; DataObjects, Executions and DeployItems may hold values of Secrets that were imported.",
  ),
];

const ofServices =
  "What the services make: users look at it, ask for operations by annotations, and delete what is left.";
const byHand = "The same; deploy items can also be made by hand.";

/** Aggregated to "edit". */
export const editRights: readonly Right[] = [
  rightsOf(made, [...read, ...write], "Installs, updates and removes."),
  rightsOf(["executions"], [...read, "patch", "delete"], ofServices),
  rightsOf(["deployitems"], [...read, ...write], byHand),
  rightsOf(sources, read, "Looks where Targets and component versions of the namespace come from."),
];

/** Aggregated to "admin". */
export const adminRights: readonly Right[] = [
  rightsOf(
    [...made, ...sources],
    [...read, ...write, "deletecollection"],
    "Installs, updates and removes, and decides where Targets and component versions of the namespace come from.",
  ),
  rightsOf(["executions"], [...read, "patch", "delete", "deletecollection"], ofServices),
  rightsOf(["deployitems"], [...read, ...write, "deletecollection"], byHand),
];
