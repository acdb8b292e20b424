// Environments and registrations of the bench. Its deployers are mock items, so that the core's work is what is measured.
import {
  agentNames,
  annotations,
  apiVersion,
  everyNamespace,
  kubernetesClusterTargetType,
  labels,
  type DeployerRegistration,
  type Environment,
  type Installation,
  type Lease,
} from "@landscaper/api";
import { blueprintYaml, clusterImport, deployItems, mockItem } from "../../src/installations/inline-installation.ts";

export const environmentName = (index: number): string => `env-${index}`;

/** As an agent makes it. */
export function fleetEnvironment(index: number, server: string): Environment {
  const name = environmentName(index);
  return {
    apiVersion,
    kind: "Environment",
    metadata: { name },
    spec: {
      hostTarget: {
        type: kubernetesClusterTargetType,
        annotations: { [annotations.environment]: name },
        config: { kubeconfig: { secretRef: { name: `${name}-target-access`, namespace: "deployers" } } },
      },
      namespace: "deployers",
      landscaperClusterConfig: { host: server, apiPath: "", insecure: false, caData: "" },
      namespaces: [everyNamespace],
      targetSelectors: [{ annotations: [{ key: annotations.environment, operator: "=", values: [name] }] }],
    },
  };
}

/** The Lease of its agent, which lasts five minutes. */
export function agentLease(index: number, namespace: string): Lease {
  const name = environmentName(index);
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: agentNames(name).lease, namespace, labels: { [labels.deployerEnvironment]: name } },
    spec: { holderIdentity: `${name}/agent-0`, leaseDurationSeconds: 300, renewTime: microTime() },
  };
}

export function microTime(): string {
  return `${new Date().toISOString().slice(0, -1)}000Z`;
}

/** A blueprint that differs from others in its version alone. */
export function fleetBlueprint(version: number): Installation["spec"]["blueprint"] {
  const data = ["releaseName", "releaseNamespace", "identity", "targetSelectors"];
  const blueprint = {
    imports: [
      clusterImport,
      { ...clusterImport, name: "landscaperCluster" },
      ...data.map((name) => ({ name, type: "data", schema: {} })),
    ],
    deployExecutions: deployItems({ ...mockItem("deployer"), labels: { version: `${version}` } }),
  };
  return { inline: { filesystem: { "blueprint.yaml": blueprintYaml(blueprint) } } };
}

export function fleetRegistration(name: string): DeployerRegistration {
  return {
    apiVersion,
    kind: "DeployerRegistration",
    metadata: { name },
    spec: { types: [`example.org/${name}`], installationTemplate: { blueprint: fleetBlueprint(0) } },
  };
}
