import type { UnstructuredObject } from "@landscaper/api";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import type { ListResult } from "../rest/list-objects.ts";
import { badRequest } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { makeTable, toPartialMetadata } from "../table/make-table.ts";
import type { MediaForm } from "./negotiate.ts";

/** How the objects of an answer are to be written. */
export interface Presentation {
  readonly definition: ResourceDefinition;
  readonly form: MediaForm;
  readonly includeObject: "None" | "Metadata" | "Object";
  readonly now: number;
}

export function parseIncludeObject(query: URLSearchParams): "None" | "Metadata" | "Object" {
  const text = query.get("includeObject") ?? "";
  switch (text) {
    case "":
    case "Metadata":
      return "Metadata";
    case "None":
    case "Object":
      return text;
    default:
      throw badRequest(`unrecognized includeObject value: ${JSON.stringify(text)}`);
  }
}

/** JSON of one object. */
export function presentObject(presentation: Presentation, stored: StoredObject): string {
  const { definition, form } = presentation;
  switch (form.form) {
    case "object":
    case "discovery":
      return stored.json(definition);
    case "metadata":
      return JSON.stringify(toPartialMetadata(stored.object, form.version));
    case "table": {
      const metadata = { resourceVersion: stored.object.metadata.resourceVersion };
      return JSON.stringify(tableOf(presentation, [stored.in(definition)], { metadata, headers: true }));
    }
  }
}

/** JSON of a list. */
export function presentList(presentation: Presentation, list: ListResult): string {
  const { definition, form } = presentation;
  const metadata = {
    resourceVersion: String(list.revision),
    ...(list.continueToken === "" ? {} : { continue: list.continueToken }),
    ...(list.remaining === undefined ? {} : { remainingItemCount: list.remaining }),
  };
  switch (form.form) {
    case "object":
    case "discovery": {
      // Lists of custom resources always have the field.
      const whole = definition.custom ? { continue: "", ...metadata } : metadata;
      const head = { kind: definition.listKind, apiVersion: groupVersionOf(definition), metadata: whole };
      const items = list.objects.map((stored) => stored.itemJson(definition));
      return `${JSON.stringify(head).slice(0, -1)},"items":[${items.join(",")}]}`;
    }
    case "metadata":
      return JSON.stringify({
        kind: "PartialObjectMetadataList",
        apiVersion: `meta.k8s.io/${form.version}`,
        metadata,
        items: list.objects.map((stored) => toPartialMetadata(stored.object, form.version)),
      });
    case "table": {
      const objects = list.objects.map((stored) => stored.in(definition));
      return JSON.stringify(tableOf(presentation, objects, { metadata, headers: true }));
    }
  }
}

/** JSON of the object of one watch event; only the first table of a stream has headers. */
export function presentEvent(presentation: Presentation, stored: StoredObject, isFirst: boolean): string {
  if (presentation.form.form !== "table") return presentObject(presentation, stored);
  const metadata = { resourceVersion: stored.object.metadata.resourceVersion };
  return JSON.stringify(tableOf(presentation, [stored.in(presentation.definition)], { metadata, headers: isFirst }));
}

function tableOf(
  { definition, form, includeObject, now }: Presentation,
  objects: readonly UnstructuredObject[],
  table: { readonly metadata: Readonly<Record<string, unknown>>; readonly headers: boolean },
): Readonly<Record<string, unknown>> {
  const version = form.form === "table" ? form.version : "v1";
  return makeTable(definition, objects, { ...table, version, includeObject, now });
}
