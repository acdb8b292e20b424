import { Type, type Static } from "typebox";
import { apiVersion } from "../objects/api-group.ts";
import * as f from "../schema/schema-fields.ts";
import { installationTemplateSchema } from "./installation-template.ts";

const { optional } = f;

/** JSON schema draft of a blueprint that names none (core.md §3.4, §1.5 D15). */
export const defaultJsonSchemaVersion = "https://json-schema.org/draft/2019-09/schema";

export const importTypes = ["data", "target", "targetList", "targetMap"] as const;
export const exportTypes = ["data", "target"] as const;
export const templateTypes = ["GoTemplate", "Spiff"] as const;

/** A JSON schema: an object, or true or false. */
const jsonSchemaSchema = Type.Unsafe<Record<string, unknown> | boolean>({
  type: ["object", "boolean"],
  description: "JSON schema of the value.",
});

/** `imports` below an import exist only if that import is satisfied (core.md §1.2 no. 35). */
export const importDefinitionSchema = Type.Cyclic(
  {
    ImportDefinition: Type.Object(
      {
        name: f.text("Name of the import."),
        type: optional(
          Type.Enum(importTypes, { description: "Type of the import; follows from schema or targetType." }),
        ),
        schema: optional(jsonSchemaSchema),
        targetType: optional(f.text("Type of the targets; prefixed with landscaper.gardener.cloud/ when it has no /.")),
        required: optional(Type.Boolean({ default: true, description: "Whether the Installation must give it." })),
        default: optional(f.object({ value: f.anyJson("The value.") }, "Value if it is not given; not for required.")),
        imports: optional(
          Type.Array(Type.Ref("ImportDefinition"), { description: "Imports that exist only with this one." }),
        ),
      },
      { description: "An import that the blueprint declares." },
    ),
  },
  "ImportDefinition",
);
export interface ImportDefinition {
  name: string;
  type?: (typeof importTypes)[number];
  schema?: Record<string, unknown> | boolean;
  targetType?: string;
  required?: boolean;
  default?: { value: unknown };
  imports?: ImportDefinition[];
}

export const exportDefinitionSchema = f.object(
  {
    name: f.text("Name of the export."),
    type: optional(Type.Enum(exportTypes, { description: "Type of the export; follows from schema or targetType." })),
    schema: optional(jsonSchemaSchema),
    targetType: optional(f.text("Type of the target; prefixed with landscaper.gardener.cloud/ when it has no /.")),
  },
  "An export that the blueprint declares.",
);
export type ExportDefinition = Static<typeof exportDefinitionSchema>;

export const templateExecutorSchema = f.object(
  {
    name: f.withDefault(
      f.text("Name of the execution; its state is kept under it, and is that of all with the same name."),
      "",
    ),
    type: Type.Enum(templateTypes, { description: "Template language." }),
    file: optional(f.text("File of the blueprint with the template.")),
    template: optional(f.anyJson("The template: a text, or YAML for Spiff.")),
  },
  "A template; template wins over file.",
);
export type TemplateExecutor = Static<typeof templateExecutorSchema>;

/** An entry of `subinstallations`: a file of the blueprint, or the template itself. */
export const subinstallationTemplateSchema = Type.Union(
  [Type.Object({ file: f.text("File of the blueprint with an InstallationTemplate.") }), installationTemplateSchema],
  { description: "a file of the blueprint, or an InstallationTemplate with apiVersion, kind, name and blueprint" },
);
export type SubinstallationTemplate = Static<typeof subinstallationTemplateSchema>;

/** blueprint.yaml; unknown fields are ignored. */
export const blueprintSchema = f.object(
  {
    apiVersion: optional(Type.Literal(apiVersion, { description: "Version of this format." })),
    kind: optional(Type.Literal("Blueprint", { description: "Kind of this file." })),
    annotations: optional(f.mapOf(Type.String(), "ocmSchemaVersion says how component descriptors are shown.")),
    jsonSchemaVersion: optional(
      Type.String({ default: defaultJsonSchemaVersion, description: "Draft of the schemas that declare none." }),
    ),
    localTypes: optional(f.mapOf(jsonSchemaSchema, "Schemas for $ref: local://name.")),
    imports: optional(Type.Array(importDefinitionSchema, { description: "Imports." })),
    importExecutions: optional(f.list(templateExecutorSchema, "Templates that add to and check the imports.")),
    exports: optional(f.list(exportDefinitionSchema, "Exports.")),
    exportExecutions: optional(f.list(templateExecutorSchema, "Templates for the exports.")),
    subinstallations: optional(f.list(subinstallationTemplateSchema, "Nested Installations.")),
    subinstallationExecutions: optional(f.list(templateExecutorSchema, "Templates for nested Installations.")),
    deployExecutions: optional(f.list(templateExecutorSchema, "Templates for DeployItems.")),
  },
  "How to deploy something: its imports, exports and templates.",
);
type BlueprintFields = Static<typeof blueprintSchema>;
export interface Blueprint extends Omit<BlueprintFields, "imports"> {
  imports?: ImportDefinition[];
}
