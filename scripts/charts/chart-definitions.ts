import { agentConfigurationSchema } from "../../libs/api/src/configuration/agent-configuration.ts";
import { containerDeployerConfigurationSchema } from "../../libs/api/src/configuration/container-deployer-configuration.ts";
import {
  helmDeployerConfigurationSchema,
  manifestDeployerConfigurationSchema,
  mockDeployerConfigurationSchema,
} from "../../libs/api/src/configuration/deployer-configuration.ts";
import { landscaperConfigurationSchema } from "../../libs/api/src/configuration/landscaper-configuration.ts";
import { annotations } from "../../libs/api/src/objects/annotations.ts";
import { everyNamespace } from "../../libs/api/src/schema/namespace-list.ts";
import type { TSchema } from "typebox";
import { configurationFields } from "./configuration-fields.ts";
import { agentSettings, coreSettings, deployerSettings, withRegistrySecrets } from "./section-fields.ts";
import {
  deploymentDefaults,
  deploymentFields,
  egressOf,
  globalField,
  nats,
  natsWithoutEffect,
} from "./shared-values.ts";
import { flag, integer, kubernetes, object, type ValueFields, type ValueSchema } from "./value-schema.ts";

/** A chart with what is generated of it. */
export interface ChartDefinition {
  readonly name: string;
  readonly description: string;
  readonly fields: ValueFields;
  /** What values.yaml sets. */
  readonly defaults: ValueSchema;
  /** Charts below k8s/charts that are packed with it, beside the library; with the value that turns each on. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Which panels its dashboard has. */
  readonly dashboard?: "core" | "deployer";
}

interface ServiceChart {
  readonly name: string;
  readonly description: string;
  readonly section: keyof typeof settingsOf;
  readonly configuration: TSchema;
  /** Of the configuration, set by the chart. */
  readonly ownFields?: readonly string[];
  /** Where the configuration has `oci`. */
  readonly oci?: readonly string[];
  /** Of the section. */
  readonly defaults: ValueSchema;
  readonly resources: { readonly cpu: string; readonly memory: string; readonly limit: string };
  /** Only this chart has them. */
  readonly more?: { readonly fields: ValueFields; readonly defaults: ValueSchema };
}

const settingsOf = { landscaper: coreSettings, deployer: deployerSettings, agent: agentSettings };

function serviceChart(chart: ServiceChart): ChartDefinition {
  const { name, description, section, resources, more } = chart;
  const read = configurationFields(chart.configuration, chart.ownFields ?? []);
  const configuration = chart.oci === undefined ? read : withRegistrySecrets(read, chart.oci);
  const settings = settingsOf[section](configuration);
  const { cpu, memory, limit } = resources;
  return {
    name,
    description,
    dashboard: section === "landscaper" ? "core" : "deployer",
    fields: {
      [section]: object(
        "The service: flags and configuration file. What is unset has the service's own default.",
        settings,
      ),
      ...more?.fields,
      ...deploymentFields(egressOf(read)),
      nats: section === "landscaper" ? nats : natsWithoutEffect,
    },
    defaults: {
      [section]: chart.defaults,
      ...more?.defaults,
      ...deploymentDefaults,
      resources: { requests: { cpu, memory }, limits: { memory: limit } },
    },
  };
}

const userRoles = {
  fields: {
    userRoles: object(
      "Roles for users, landscaper-admin, landscaper-edit and landscaper-view, aggregated to admin, edit and view.",
      {
        create: flag("Make them; only in the landscaper cluster itself."),
      },
    ),
  },
  defaults: { userRoles: { create: true } },
};

const managementNamespace = {
  fields: {
    managementNamespace: object("The namespace of deployer management (landscaper.deployerManagement.namespace).", {
      create: flag(
        "Create it, unless it is the namespace of the release or belongs to another owner. It stays when the release is uninstalled.",
      ),
      allowShared: flag(
        "Permit a first install in this namespace. Only for tools that render a hub that exists as a first install, such as Argo CD.",
      ),
    }),
  },
  defaults: { managementNamespace: { create: true, allowShared: false } },
};

const cleanupResources = { requests: { cpu: "50m", memory: "96Mi" }, limits: { memory: "384Mi" } };
const cleanupResourcesField = kubernetes("Resources of the container of the Job.");

const coreCleanup = {
  fields: {
    cleanup: object(
      "The Job that removes the finalizers of the core from Targets, Contexts, Secrets and RoleBindings in use when the release is uninstalled. An upgrade does not run it.",
      {
        enabled: flag(
          "Run the Job. Without the Job, Targets, Contexts, Secrets and RoleBindings in use cannot be deleted until the core is installed again.",
        ),
        timeoutSeconds: integer("Longest time for stopping the core and removing the finalizers.", 10),
        resources: cleanupResourcesField,
      },
    ),
  },
  defaults: { cleanup: { enabled: true, timeoutSeconds: 120, resources: cleanupResources } },
};

const landscaper = serviceChart({
  name: "landscaper",
  description: "The core of Landscaper: turns Installations into DeployItems, and collects their results.",
  section: "landscaper",
  configuration: landscaperConfigurationSchema,
  ownFields: ["metrics", "hpaMain", "repositoryContext", "lsDeployments.deploymentsNamespace"],
  oci: ["registry", "oci"],
  defaults: {
    verbosityLevel: "info",
    leaseDuration: "15s",
    crdManagement: { deployCrd: true, forceUpdate: true },
    // Together with the limit of memory: docs/guide/security.md#limits-of-time-and-memory.
    rendering: { threads: 2, memoryMiB: 384 },
  },
  resources: { cpu: "100m", memory: "256Mi", limit: "4Gi" },
  more: {
    fields: { ...userRoles.fields, ...managementNamespace.fields, ...coreCleanup.fields },
    defaults: { ...userRoles.defaults, ...managementNamespace.defaults, ...coreCleanup.defaults },
  },
});

const deployerDefaults = {
  verbosityLevel: "info",
  leaseDuration: "15s",
  targetSelector: [],
  controller: { workers: 30 },
};

const manifestDeployer = serviceChart({
  name: "manifest-deployer",
  description: "Deployer of Landscaper for Kubernetes manifests.",
  section: "deployer",
  configuration: manifestDeployerConfigurationSchema,
  defaults: deployerDefaults,
  resources: { cpu: "100m", memory: "192Mi", limit: "768Mi" },
});

const helmDeployer = serviceChart({
  name: "helm-deployer",
  description: "Deployer of Landscaper for Helm charts.",
  section: "deployer",
  configuration: helmDeployerConfigurationSchema,
  oci: ["oci"],
  defaults: { ...deployerDefaults, rendering: { threads: 2, memoryMiB: 384 } },
  resources: { cpu: "100m", memory: "256Mi", limit: "2Gi" },
});

const cleanup = {
  fields: {
    cleanup: object(
      "The Job that removes everything of the deployer from the host when the release is uninstalled. An upgrade does not run it.",
      {
        enabled: flag("Run it. Without it, Secrets with copies of Targets and states of programs stay."),
        keepState: flag("Keep the states of programs, for a release with the same deployer.identity."),
        timeoutSeconds: integer(
          "Time for Pods to end: that of the deployer, then those of programs, which have 300 seconds each. Let helm uninstall wait longer (--timeout).",
          10,
        ),
        resources: cleanupResourcesField,
      },
    ),
  },
  defaults: {
    cleanup: { enabled: true, keepState: false, timeoutSeconds: 480, resources: cleanupResources },
  },
};

const containerDeployer = serviceChart({
  name: "container-deployer",
  description: "Deployer of Landscaper that runs programs of users as pods.",
  section: "deployer",
  configuration: containerDeployerConfigurationSchema,
  oci: ["oci"],
  defaults: deployerDefaults,
  resources: { cpu: "100m", memory: "192Mi", limit: "768Mi" },
  more: cleanup,
});

const mockDeployer = serviceChart({
  name: "mock-deployer",
  description: "Deployer of Landscaper that deploys nothing: for tests of blueprints.",
  section: "deployer",
  configuration: mockDeployerConfigurationSchema,
  defaults: deployerDefaults,
  resources: { cpu: "50m", memory: "128Mi", limit: "384Mi" },
});

const agent = serviceChart({
  name: "landscaper-agent",
  description: "Agent of Landscaper: brings deployers into a cluster that nobody can reach from outside.",
  section: "agent",
  configuration: agentConfigurationSchema,
  oci: ["oci"],
  defaults: {
    name: "",
    namespace: "",
    landscaperClusterKubeconfig: { secretRef: "", kubeconfig: "" },
    verbosityLevel: "info",
    controller: { workers: 30 },
    rendering: { threads: 2, memoryMiB: 384 },
  },
  resources: { cpu: "100m", memory: "256Mi", limit: "2Gi" },
});

const serviceCharts = [landscaper, manifestDeployer, helmDeployer, containerDeployer, mockDeployer, agent];

/** The Environment of the cluster of the stack: its deployers also act for Targets that name no Environment. */
const stackAgent = {
  agent: {
    name: "default",
    inLandscaperNamespace: true,
    namespaces: [everyNamespace],
    targetSelectors: [
      { targets: [{ name: "default", namespace: "" }] },
      { annotations: [{ key: annotations.environment, operator: "=", values: ["default"] }] },
      { annotations: [{ key: annotations.environment, operator: "!" }] },
    ],
  },
};

/** "manifest-deployer" -> "manifestDeployer", which templates can write after a dot. */
function switchOf(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const stack: ChartDefinition = {
  name: "landscaper-stack",
  description: "Landscaper with its deployers.",
  fields: {
    enabled: object(
      "Which services are installed.",
      Object.fromEntries(serviceCharts.map(({ name }) => [switchOf(name), flag(`The chart ${name}.`)])),
    ),
    ...Object.fromEntries(
      serviceCharts.map(({ name }) => [name, { type: "object", description: `Values of the chart ${name}.` }]),
    ),
    global: globalField(egressOf(configurationFields(landscaperConfigurationSchema, []))),
  },
  defaults: {
    enabled: {
      landscaper: true,
      manifestDeployer: true,
      helmDeployer: true,
      containerDeployer: false,
      mockDeployer: false,
      landscaperAgent: false,
    },
    ...Object.fromEntries(serviceCharts.map(({ name }) => [name, name === agent.name ? stackAgent : {}])),
  },
  dependencies: Object.fromEntries(serviceCharts.map(({ name }) => [name, `enabled.${switchOf(name)}`])),
};

export const chartDefinitions: readonly ChartDefinition[] = [...serviceCharts, stack];
