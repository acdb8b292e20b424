import type { Static } from "typebox";
import { Type } from "typebox";
import * as f from "../schema/schema-fields.ts";
import { deletionGroupSchema, managePolicies } from "./resource-fields.ts";

const { optional } = f;

/** One entry of the inventory (deployers.md §2 "ManagedResourceStatus"); without `uid` it is planned, not yet made. */
export const managedResourceStatusSchema = f.object(
  {
    policy: optional(Type.Enum(managePolicies, { description: "What happens with the object." })),
    fieldManager: optional(f.text("Manager under which the object was applied last, with updateStrategy apply.")),
    readyWithoutStatus: optional(
      Type.Integer({
        description: "Generation of the custom resource for which a job has waited in vain for a status.",
      }),
    ),
    annotateBeforeDelete: optional(f.mapOf(Type.String(), "Annotations to set before it is deleted.")),
    patchBeforeDelete: optional(f.anyObject("Patch to apply before it is deleted.")),
    resource: f.object(
      {
        apiVersion: optional(f.text("API version.")),
        kind: optional(f.text("Kind.")),
        name: optional(f.text("Name.")),
        namespace: optional(f.text("Namespace.")),
        uid: optional(f.text("UID; absent while the object is only planned.")),
      },
      "The object.",
    ),
  },
  "An object that the item manages.",
);
export type ManagedResourceStatus = Static<typeof managedResourceStatusSchema>;

export const providerStatusSchema = f.object(
  {
    apiVersion: optional(f.text("Version of this format.")),
    kind: optional(f.text("ProviderStatus")),
    managedResources: optional(f.list(managedResourceStatusSchema, "The inventory.")),
    deletionGroups: optional(
      f.list(deletionGroupSchema, "Order of the deletion, for when the configuration cannot be read any more."),
    ),
  },
  "Status of a manifest or helm item.",
);
export type ProviderStatus = Static<typeof providerStatusSchema>;
