import type { UnstructuredObject } from "@landscaper/api";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import type { PrinterColumn } from "./printer-column.ts";
import { formatAge } from "./format-age.ts";

export interface TableOptions {
  /** v1 or v1beta1 of meta.k8s.io. */
  readonly version: string;
  readonly includeObject: "None" | "Metadata" | "Object";
  readonly now: number;
  readonly headers: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const nameDescription =
  "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client " +
  "to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and " +
  "configuration definition. Cannot be updated. More info: " +
  "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";

export const nameColumn: PrinterColumn = {
  name: "Name",
  type: "string",
  format: "name",
  description: nameDescription,
  priority: 0,
  cell: (object) => object.metadata.name ?? "",
};

/** For built-in kinds, which print the age; other clients get it from custom resources as "date" columns. */
export const ageColumn: PrinterColumn = {
  name: "Age",
  type: "string",
  format: "",
  description: "CreationTimestamp is a timestamp representing the server time when this object was created.",
  priority: 0,
  cell: (object, now) => formatAge(object.metadata.creationTimestamp, now),
};

/** What resources without columns of their own show. */
const defaultColumns: readonly PrinterColumn[] = [
  nameColumn,
  {
    ...ageColumn,
    name: "Created At",
    type: "date",
    description: "CreationTimestamp is a timestamp representing the server time when this object was created.",
    cell: (object) => object.metadata.creationTimestamp ?? null,
  },
];

/** The Table form of objects, as `kubectl get` asks for it; `objects` are in the version of `definition`. */
export function makeTable(
  definition: ResourceDefinition,
  objects: readonly UnstructuredObject[],
  options: TableOptions,
): Readonly<Record<string, unknown>> {
  const columns = definition.columns.length > 0 ? definition.columns : defaultColumns;
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata: options.metadata,
    columnDefinitions: options.headers ? columns.map(({ cell: _cell, ...column }) => column) : null,
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, options.now)),
      ...rowObject(object, options),
    })),
  };
}

function rowObject(object: UnstructuredObject, options: TableOptions): Readonly<Record<string, unknown>> {
  switch (options.includeObject) {
    case "None":
      return { object: null };
    case "Object":
      return { object };
    case "Metadata":
      return { object: toPartialMetadata(object, options.version) };
  }
}

/** The PartialObjectMetadata form of an object. */
export function toPartialMetadata(object: UnstructuredObject, version: string): UnstructuredObject {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}
