import { Type, type Static } from "typebox";
import { list, localRefSchema, mapOf, object, optional, text, withoutEffect } from "../schema/schema-fields.ts";

export const dataImportSchema = object(
  {
    name: text("Name of the import, unique among data and target imports."),
    dataRef: optional(text("DataObject of the scope; #name reaches over scopes.")),
    secretRef: optional(localRefSchema),
    configMapRef: optional(localRefSchema),
    version: optional(withoutEffect(text("Not used."), "an import has one version")),
  },
  "Exactly one of dataRef, secretRef and configMapRef.",
);
export type DataImport = Static<typeof dataImportSchema>;

/** `{key: target}` in a list is another way to write a target map (core.md §1.5 D4). */
const targetListEntrySchema = Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
  "x-kubernetes-preserve-unknown-fields": true,
  description: "the name of a Target, or a map from one key to one",
});

export const targetImportSchema = object(
  {
    name: text("Name of the import, unique among data and target imports."),
    target: optional(text("Target of the scope; #name reaches over scopes.")),
    targets: optional(list(targetListEntrySchema, "Targets of a target list; an empty list is a legal one.")),
    targetListRef: optional(text("Target list import of the parent.")),
    targetMap: optional(mapOf(Type.String(), "Targets of a target map by key.")),
    targetMapRef: optional(text("Target map import of the parent.")),
  },
  "Exactly one of target, targets, targetListRef, targetMap and targetMapRef.",
);
export type TargetImport = Static<typeof targetImportSchema>;

export const installationImportsSchema = object(
  {
    data: optional(list(dataImportSchema, "Data imports.")),
    targets: optional(list(targetImportSchema, "Target imports.")),
  },
  "Where the import values come from.",
);
export type InstallationImports = Static<typeof installationImportsSchema>;

export const dataExportSchema = object(
  { name: text("Name of the export, unique among data exports."), dataRef: text("DataObject to write.") },
  "An exported value.",
);
export type DataExport = Static<typeof dataExportSchema>;

export const targetExportSchema = object(
  { name: text("Name of the export, unique among target exports."), target: optional(text("Target to write.")) },
  "An exported target.",
);
export type TargetExport = Static<typeof targetExportSchema>;

export const installationExportsSchema = object(
  {
    data: optional(list(dataExportSchema, "Data exports.")),
    targets: optional(list(targetExportSchema, "Target exports.")),
  },
  "Where the exports go.",
);
export type InstallationExports = Static<typeof installationExportsSchema>;
