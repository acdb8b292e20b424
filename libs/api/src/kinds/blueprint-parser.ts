import { createParser } from "../schema/parse.ts";
import { blueprintSchema, type Blueprint } from "./blueprint.ts";
import { installationTemplateSchema, type InstallationTemplate } from "./installation-template.ts";

/** blueprint.yaml as an object; unknown fields are accepted, `required` and `jsonSchemaVersion` get their defaults. */
export const parseBlueprint = createParser<Blueprint>(blueprintSchema, "Blueprint");

export const parseInstallationTemplate = createParser<InstallationTemplate>(
  installationTemplateSchema,
  "InstallationTemplate",
);
