import { Type, type Static } from "typebox";
import { deployerApiVersion } from "../configuration/deployer-configuration.ts";
import { createParser } from "../schema/parse.ts";
import * as f from "../schema/schema-fields.ts";
import { continuousReconcileSchema } from "./resource-fields.ts";

const { optional } = f;

/** deployers.md §2.4 */
export const mockProviderConfigurationSchema = f.object(
  {
    apiVersion: Type.Literal(deployerApiVersion("mock"), { description: "Version of this configuration." }),
    kind: Type.Literal("ProviderConfiguration", { description: "Kind of this configuration." }),
    initialPhase: optional(f.text("Phase of a new item, instead of Succeeded.")),
    phase: optional(f.text("Phase in any case.")),
    delay: optional(f.duration("Time that a job takes before it ends.")),
    providerStatus: optional(f.anyObject("Copied to the status.")),
    export: optional(f.anyObject("Exported values.")),
    continuousReconcile: optional(continuousReconcileSchema),
  },
  "Configuration of a mock item.",
);
export type MockProviderConfiguration = Static<typeof mockProviderConfigurationSchema>;

export const parseMockProviderConfiguration = createParser<MockProviderConfiguration>(
  mockProviderConfigurationSchema,
  "ProviderConfiguration",
);
