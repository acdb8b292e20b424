import { annotations, labels, type DeployItem } from "@landscaper/api";
import { annotationOf, labelOf } from "../object-reading.ts";

/** Name of the item in its Execution; the object's own name says nothing (core.md §3.1). */
export function itemNameOf(deployItem: DeployItem): string {
  return labelOf(deployItem, labels.managedName) ?? "";
}

/** Items that a DeployItem was made to depend on; kept on the object for the time when the template is gone. */
export function dependenciesOf(deployItem: DeployItem): readonly string[] {
  return (annotationOf(deployItem, annotations.dependsOn) ?? "").split(",").filter((name) => name !== "");
}
