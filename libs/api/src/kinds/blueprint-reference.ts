import type { Static } from "typebox";
import { anyJson, anyObject, object, optional, text } from "../schema/schema-fields.ts";

/** `spec.componentDescriptor`: by reference or inline (core.md §3.4). */
export const componentDescriptorReferenceSchema = object(
  {
    ref: optional(
      object(
        {
          repositoryContext: optional(anyObject("OCM repository; wins over the Context.")),
          componentName: text("Name of the component."),
          version: text("Version of the component."),
        },
        "Component version of an OCM repository.",
      ),
    ),
    inline: optional(anyObject("The component descriptor itself.")),
  },
  "The component that the blueprint comes from; ref or inline.",
);
export type ComponentDescriptorReference = Static<typeof componentDescriptorReferenceSchema>;

/** `spec.blueprint`: a resource of the component, or a file system given here (core.md §3.4). */
export const blueprintReferenceSchema = object(
  {
    ref: optional(
      object(
        {
          resourceName: text(
            "Name of the resource in the component: NAME[,key=value], with version or extra identity where the name is not enough.",
          ),
        },
        "Blueprint of the component.",
      ),
    ),
    inline: optional(
      object(
        { filesystem: anyJson("Files and folders: a map from names to texts or further maps.") },
        "Blueprint given here.",
      ),
    ),
  },
  "The blueprint; exactly one of ref and inline.",
);
export type BlueprintReference = Static<typeof blueprintReferenceSchema>;
