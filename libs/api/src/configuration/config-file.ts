import { Type } from "typebox";
import { configApiVersion } from "../objects/api-group.ts";
import { optional } from "../schema/schema-fields.ts";

/** apiVersion and kind of a configuration file: may be left out, must be right when they are there. */
export function configFileFields(kind: string, apiVersion: string = configApiVersion) {
  return {
    apiVersion: optional(Type.Literal(apiVersion, { description: "Version of this format." })),
    kind: optional(Type.Literal(kind, { description: "Kind of this file." })),
  };
}
