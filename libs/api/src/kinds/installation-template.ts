import type { Static } from "typebox";
import * as f from "../schema-fields.ts";
import { installationExportsSchema, installationImportsSchema } from "./data-flow.ts";
import { optimizationSchema } from "./installation.ts";

const { optional } = f;

/** A nested Installation of a blueprint (core.md §3.4); its imports may not name Secrets or ConfigMaps. */
export const installationTemplateSchema = f.object(
  {
    apiVersion: f.text("landscaper.gardener.cloud/v1alpha1"),
    kind: f.text("InstallationTemplate"),
    name: f.text("Name of the template, unique in the blueprint, at most 52 characters."),
    blueprint: f.object(
      {
        ref: optional(f.text("cd://componentReferences/NAME/resources/NAME")),
        filesystem: optional(f.anyJson("Files and folders: a map from names to texts or further maps.")),
      },
      "The blueprint; exactly one of ref and filesystem.",
    ),
    imports: optional(installationImportsSchema),
    importDataMappings: optional(f.mapOf(f.anyJson("Spiff template."), "Import values of the blueprint by name.")),
    exports: optional(installationExportsSchema),
    exportDataMappings: optional(f.mapOf(f.anyJson("Spiff template."), "Export values by name.")),
    optimization: optional(optimizationSchema),
  },
  "A nested Installation.",
);
export type InstallationTemplate = Static<typeof installationTemplateSchema>;
