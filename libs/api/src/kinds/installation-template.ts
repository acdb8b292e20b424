import { Type, type Static } from "typebox";
import { apiVersion } from "../objects/api-group.ts";
import * as f from "../schema/schema-fields.ts";
import { installationExportsSchema, installationImportsSchema } from "./data-flow.ts";
import { optimizationSchema } from "./installation.ts";

const { optional } = f;

/** A nested Installation of a blueprint (core.md §3.4); its imports may not name Secrets or ConfigMaps. */
export const installationTemplateSchema = f.object(
  {
    apiVersion: Type.Literal(apiVersion, { description: "Version of this format." }),
    kind: Type.Literal("InstallationTemplate", { description: "Kind of this template." }),
    name: f.text("Name of the template, unique in the blueprint, at most 52 characters."),
    blueprint: Type.Object(
      {
        ref: optional(f.text("cd://componentReferences/NAME/resources/NAME")),
        filesystem: optional(f.anyJson("Files and folders: a map from names to texts or further maps.")),
      },
      { description: "The blueprint; exactly one of ref and filesystem.", ...f.exactlyOne("ref", "filesystem") },
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
