import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, isNumeric } from "../objects/json.ts";

type Fields = Readonly<Record<string, (object: UnstructuredObject) => string>>;

/** Field selectors named like the path of their field. */
export function fieldsByPath(...paths: readonly string[]): Fields {
  return Object.fromEntries(paths.map((path) => [path, readPath(path.split("."))]));
}

function readPath(path: readonly string[]): (object: UnstructuredObject) => string {
  return (object) => {
    const value = fieldAt(object, ...path);
    return typeof value === "string" || isNumeric(value) || typeof value === "boolean" ? String(value) : "";
  };
}

export const podFields: Fields = {
  ...fieldsByPath(
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.nominatedNodeName",
  ),
  "spec.hostNetwork": (object) => String(fieldAt(object, "spec", "hostNetwork") === true),
};

/** Of core events, in the stored form that events.k8s.io shares. */
export const eventFields: Fields = {
  ...fieldsByPath(
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "type",
  ),
  source: readPath(["source", "component"]),
};

/** The same selectors over the form of events.k8s.io. */
export const newEventFields: Fields = {
  ...fieldsByPath(
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reason",
    "reportingController",
    "type",
  ),
};
