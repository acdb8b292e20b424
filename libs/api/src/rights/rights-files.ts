import {
  agentEnvironmentRights,
  agentHostRights,
  agentNamespaceRights,
  environmentCreationRights,
} from "./agent-rights.ts";
import { containerCleanupRights, stopDeploymentRights } from "./cleanup-rights.ts";
import { deployerManagementRights } from "./deployer-management-rights.ts";
import {
  agentDeployerRights,
  containerDeployerRights,
  containerHostRights,
  helmDeployerRights,
  leaseRights,
  manifestDeployerRights,
  mockDeployerRights,
} from "./deployer-rights.ts";
import {
  coreRights,
  crdRights,
  electionRights,
  healthCheckRights,
  hostKinds,
  policyRights,
  problemRights,
} from "./core-rights.ts";
import type { Right, RightsFile } from "./right.ts";
import { adminRights, editRights, viewRights } from "./user-rights.ts";

type Described = Omit<RightsFile, "path" | "holder">;

const inAllNamespaces = "on the landscaper cluster, in all namespaces";

/** Placeholder in the files for the name of the service's Deployment, which the chart replaces. */
const deploymentPlaceholder = "DEPLOYMENT";

const coreFiles: Readonly<Record<string, Described>> = {
  "landscaper-cluster": { scope: "cluster", where: inAllNamespaces, rights: coreRights },
  "landscaper-crds": {
    scope: "cluster",
    where: "on the landscaper cluster, only with `crdManagement.deployCrd`",
    rights: [...crdRights(), ...policyRights],
  },
  "landscaper-deployer-management": {
    scope: "cluster",
    where: "on the landscaper cluster, in all namespaces, unless `deployerManagement.disable`",
    rights: deployerManagementRights,
  },
  "host-namespace": {
    scope: "namespace",
    where: "in the namespace of the core, on the cluster that it runs in",
    rights: [...electionRights, ...problemRights],
  },
  "host-health-check": {
    scope: "namespace",
    where: "on the cluster that the core runs in, only with `lsDeployments`: in `lsDeployments.deploymentsNamespace`",
    rights: healthCheckRights,
  },
  "host-crds": {
    scope: "cluster",
    where:
      "on the cluster that the core runs in, only with `crdManagement.deployCrd` and a landscaper cluster of its own (`--landscaper-kubeconfig`)",
    rights: crdRights(hostKinds),
  },
  "cleanup-release-namespace": {
    scope: "namespace",
    where:
      "in the namespace of the core, on the cluster that it runs in, only while the chart is uninstalled: for the Job that stops the Deployment `DEPLOYMENT` and removes finalizers with the account of the core",
    rights: stopDeploymentRights(deploymentPlaceholder),
  },
};

const leaseFile: Described = {
  scope: "namespace",
  where: "on the landscaper cluster, in the namespace of the Leases of all deployers (`--lease-namespace`)",
  rights: leaseRights,
};

function deployerFiles(rights: readonly Right[]): Readonly<Record<string, Described>> {
  return {
    "landscaper-cluster": { scope: "cluster", where: inAllNamespaces, rights },
    "landscaper-lease-namespace": leaseFile,
  };
}

/** Stands in the files for the name of the Environment, which the chart puts in. */
const environmentPlaceholder = "ENVIRONMENT";

const cleanupFiles: Readonly<Record<string, Described>> = {
  "cleanup-host-namespace": {
    scope: "namespace",
    where: "on the host cluster, in `namespace` of the configuration, only for the Job that cleans up at the uninstall",
    rights: containerCleanupRights,
  },
  "cleanup-release-namespace": {
    scope: "namespace",
    where:
      "on the host cluster, in the namespace of the release, only for the same Job, which stops the Deployment `DEPLOYMENT`",
    rights: stopDeploymentRights(deploymentPlaceholder),
  },
};

const agentFiles: Readonly<Record<string, Described>> = {
  "landscaper-cluster": {
    scope: "cluster",
    where:
      "on the landscaper cluster; `ENVIRONMENT` stands for the name of the Environment. `landscaper agent bootstrap` creates the Environment itself, and does not give the right to create Environments",
    rights: [...environmentCreationRights, ...agentEnvironmentRights(environmentPlaceholder)],
  },
  "landscaper-namespace": {
    scope: "namespace",
    where:
      "on the landscaper cluster, in `landscaperNamespace` of the configuration, beside the Role of the core that [lists the Secrets](deployer-management.md#secrets-of-an-agent) which the agent reads",
    rights: agentDeployerRights,
  },
  "landscaper-lease-namespace": leaseFile,
  "host-cluster": {
    scope: "cluster",
    where: "on the host cluster, in all namespaces; `ENVIRONMENT` stands for the name of the Environment",
    rights: agentHostRights(environmentPlaceholder),
  },
  "host-namespace": {
    scope: "namespace",
    where: "on the host cluster, in `namespace` of the configuration",
    rights: agentNamespaceRights(environmentPlaceholder),
  },
};

const services: Readonly<Record<string, Readonly<Record<string, Described>>>> = {
  landscaper: coreFiles,
  "manifest-deployer": deployerFiles(manifestDeployerRights),
  "helm-deployer": deployerFiles(helmDeployerRights),
  "mock-deployer": deployerFiles(mockDeployerRights),
  "container-deployer": {
    ...deployerFiles(containerDeployerRights),
    "host-namespace": {
      scope: "namespace",
      where: "on the cluster that the Pods run in (the host cluster), in `namespace` of the configuration",
      rights: containerHostRights,
    },
    ...cleanupFiles,
  },
  "landscaper-agent": agentFiles,
};

const users: Readonly<Record<string, readonly Right[]>> = { admin: adminRights, edit: editRights, view: viewRights };

/** The rights of the services, by chart. */
export const serviceRightsFiles: readonly RightsFile[] = Object.entries(services).flatMap(([chart, files]) =>
  Object.entries(files).map(([name, file]) => ({
    ...file,
    holder: chart,
    path: `k8s/charts/${chart}/rules/${name}.yaml`,
  })),
);

/** The roles of users, which the chart of the core brings. None has a right to a status: that belongs to the services. */
export const userRightsFiles: readonly RightsFile[] = Object.entries(users).map(([role, rights]) => ({
  path: `k8s/charts/landscaper/rules/users/${role}.yaml`,
  scope: "cluster",
  holder: `landscaper-${role}`,
  where: `aggregated to "${role}", which a RoleBinding gives in a namespace`,
  rights,
}));
