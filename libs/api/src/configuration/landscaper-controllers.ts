import { Type } from "typebox";
import * as f from "../schema/schema-fields.ts";
import { controllerFields, controllerSchema } from "./shared-sections.ts";

const { optional } = f;

const excludedNamespaces = f.list(Type.String(), "Namespaces without such a Context.");

const defaultContextSchema = f.object(
  {
    disable: f.withDefault(f.flag("Do not make a Context named default in every namespace."), false),
    excludedNamespaces: f.withDefault(excludedNamespaces, []),
    repositoryContext: optional(f.anyObject("OCM repository of these Contexts.")),
  },
  "The Contexts named default.",
);

const contextControllerSchema = f.object(
  {
    ...controllerFields,
    config: f.withDefault(f.object({ default: f.withDefault(defaultContextSchema, {}) }, "What it does."), {}),
  },
  "The controller of Contexts.",
);

export const controllersSchema = f.object(
  {
    syncPeriod: optional(
      f.withoutEffect(
        f.duration("Time after which everything is looked at again; practically never when absent."),
        "caches are filled once and kept by watches",
      ),
    ),
    installations: f.withDefault(controllerSchema, {}),
    executions: f.withDefault(controllerSchema, {}),
    deployItems: f.withDefault(controllerSchema, {}),
    contexts: f.withDefault(contextControllerSchema, {}),
  },
  "Settings of the controllers.",
);
