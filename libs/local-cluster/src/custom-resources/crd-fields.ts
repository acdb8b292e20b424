import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, isRecord, listAt, stringAt } from "../objects/json.ts";

export interface CrdNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly hasStatus: boolean;
  readonly columns: readonly unknown[];
  readonly selectableFields: readonly string[];
  /** The version as it stands in the CRD. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** The fields of a stored, hence valid, CustomResourceDefinition. */
export interface CrdFields {
  readonly group: string;
  readonly namespaced: boolean;
  readonly names: CrdNames;
  readonly versions: readonly CrdVersion[];
}

export function parseCrd(crd: UnstructuredObject): CrdFields {
  const names = fieldAt(crd, "spec", "names");
  const kind = stringAt(names, "kind");
  return {
    group: stringAt(crd, "spec", "group"),
    namespaced: stringAt(crd, "spec", "scope") === "Namespaced",
    names: {
      plural: stringAt(names, "plural"),
      singular: stringAt(names, "singular") || kind.toLowerCase(),
      kind,
      listKind: stringAt(names, "listKind") || `${kind}List`,
      shortNames: strings(listAt(names, "shortNames")),
      categories: strings(listAt(names, "categories")),
    },
    versions: listAt(crd, "spec", "versions").filter(isRecord).map(parseVersion),
  };
}

function parseVersion(version: Readonly<Record<string, unknown>>): CrdVersion {
  return {
    name: stringAt(version, "name"),
    served: version["served"] === true,
    storage: version["storage"] === true,
    hasStatus: fieldAt(version, "subresources", "status") !== undefined,
    columns: listAt(version, "additionalPrinterColumns"),
    selectableFields: listAt(version, "selectableFields").map((field) => stringAt(field, "jsonPath")),
    raw: version,
  };
}

function strings(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}
