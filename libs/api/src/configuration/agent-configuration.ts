import type { Static } from "typebox";
import * as f from "../schema/schema-fields.ts";
import { namespaceListOrAll } from "../schema/namespace-list.ts";
import { targetSelectorSchema } from "../objects/target-selector.ts";
import { createParser } from "../schema/parse.ts";
import { ociSchema } from "./shared-sections.ts";
import { configFileFields } from "./config-file.ts";
import { deployerWorkFields, helmDeployerFields } from "./deployer-configuration.ts";

const { optional } = f;

const selectorsField = f.list(
  targetSelectorSchema,
  "Targets that the deployers of the Environment act for. Without the field, an existing Environment keeps its selectors. Only an agent whose host is the landscaper cluster can set selectors of Targets with neither the name of the Environment nor its annotation.",
);

/** The agent that runs inside the Landscaper; absent fields follow the deployerManagement section (deployers.md §2.5). */
export const embeddedAgentSchema = f.object(
  {
    disable: f.withDefault(f.flag("Do not run it."), false),
    name: f.withDefault(f.text("Name of the Environment."), "default"),
    namespace: optional(f.text("Namespace of the host for deployers.")),
    landscaperNamespace: optional(f.text("Namespace of the Landscaper cluster.")),
    oci: optional(ociSchema),
    targetSelectors: optional(selectorsField),
  },
  "The embedded agent.",
);

/** Configuration file of the agent (deployers.md §2.5). */
export const agentConfigurationSchema = f.object(
  {
    ...configFileFields("AgentConfiguration"),
    name: f.withDefault(f.text("Name of the Environment, a DNS label."), "default"),
    namespace: f.withDefault(
      f.text("Namespace of the host for deployers, and for the agent's own objects. It has to exist."),
      "ls-system",
    ),
    landscaperNamespace: f.withDefault(
      f.text(
        "Namespace of the landscaper cluster with the Target of the host, which is that of deployer management; of the Leases of all deployers, too, unless --lease-namespace says otherwise. It has to exist.",
      ),
      "ls-system",
    ),
    targetSelectors: optional(selectorsField),
    namespaces: optional(
      namespaceListOrAll(
        'Namespaces of the landscaper cluster in which the deployers of the Environment may read DeployItems and Secrets, and work on the DeployItems. ["*"] means all namespaces. An agent whose host is the landscaper cluster creates its Environment with this list. In an existing Environment, every agent removes the namespaces that the list does not name, and adds none. Omit it for other agents.',
      ),
    ),
    ...helmDeployerFields,
    ...deployerWorkFields,
  },
  "Configuration of the agent.",
);
export type AgentConfiguration = Static<typeof agentConfigurationSchema>;

export const parseAgentConfiguration = createParser<AgentConfiguration>(agentConfigurationSchema, "AgentConfiguration");
