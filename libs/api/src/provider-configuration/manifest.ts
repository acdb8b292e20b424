import { Type, type Static } from "typebox";
import { deployerApiVersion } from "../configuration/deployer-configuration.ts";
import { createParser, withFindings } from "../schema/parse.ts";
import * as f from "../schema/schema-fields.ts";
import { findReadinessWithoutEffect } from "./readiness-without-effect.ts";
import {
  driftFields,
  managePolicies,
  requireApprovalSchema,
  resourceFields,
  serverSideApplySchema,
  updateStrategySchema,
} from "./resource-fields.ts";

const { optional } = f;

const kindField = Type.Literal("ProviderConfiguration", { description: "Kind of this configuration." });

/** Older form: bare manifests, all with policy manage (deployers.md §2.2). */
export const manifestProviderConfigurationV1alpha1Schema = f.object(
  {
    apiVersion: Type.Literal(deployerApiVersion("manifest"), { description: "Version of this configuration." }),
    kind: kindField,
    updateStrategy: updateStrategySchema,
    serverSideApply: optional(serverSideApplySchema),
    manifests: optional(f.list(f.anyObject("A Kubernetes object."), "Objects to apply.")),
    requireApproval: optional(requireApprovalSchema),
    ...driftFields,
    ...resourceFields,
  },
  "Configuration of a manifest item, older form.",
);
export type ManifestProviderConfigurationV1alpha1 = Static<typeof manifestProviderConfigurationV1alpha1Schema>;

export const manifestEntrySchema = f.object(
  {
    policy: Type.Enum(managePolicies, { default: "manage", description: "What happens with the object." }),
    manifest: f.anyObject("A Kubernetes object, or a List of them."),
    adopt: optional(f.flag("Take the object over when it belongs to another deploy item.")),
    annotateBeforeCreate: optional(f.mapOf(Type.String(), "Annotations to set when it is created.")),
    annotateBeforeDelete: optional(f.mapOf(Type.String(), "Annotations to set before it is deleted.")),
    patchAfterDeployment: optional(f.anyObject("Patch to apply when all is ready.")),
    patchBeforeDelete: optional(f.anyObject("Patch to apply before it is deleted.")),
  },
  "An object to apply.",
);
export type ManifestEntry = Static<typeof manifestEntrySchema>;

/** Current form (deployers.md §2.2). */
export const manifestProviderConfigurationSchema = f.object(
  {
    apiVersion: Type.Literal(deployerApiVersion("manifest", "v1alpha2"), {
      description: "Version of this configuration.",
    }),
    kind: kindField,
    updateStrategy: updateStrategySchema,
    serverSideApply: optional(serverSideApplySchema),
    manifests: optional(f.list(manifestEntrySchema, "Objects to apply.")),
    requireApproval: optional(requireApprovalSchema),
    ...driftFields,
    ...resourceFields,
  },
  "Configuration of a manifest item.",
);
export type ManifestProviderConfiguration = Static<typeof manifestProviderConfigurationSchema>;

export const parseManifestProviderConfigurationV1alpha1 = withFindings(
  createParser<ManifestProviderConfigurationV1alpha1>(
    manifestProviderConfigurationV1alpha1Schema,
    "ProviderConfiguration",
  ),
  findReadinessWithoutEffect,
);
export const parseManifestProviderConfiguration = withFindings(
  createParser<ManifestProviderConfiguration>(manifestProviderConfigurationSchema, "ProviderConfiguration"),
  findReadinessWithoutEffect,
);
