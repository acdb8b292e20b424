// Environments and DeployerRegistrations as tests make them.
import {
  agentFinalizer,
  annotations,
  apiVersion,
  kubernetesClusterTargetType,
  type DeployerRegistration,
  type Environment,
  type EnvironmentSpec,
} from "@landscaper/api";
import { deployItems, filesystemOf, type TestItem } from "./objects.ts";

export const managementSettings = { namespace: "ls-system", leaseNamespace: "ls-system" };

/** The three selectors that an agent gives its Environment by default. */
export function defaultSelectors(name: string): EnvironmentSpec["targetSelectors"] {
  return [
    { targets: [{ name, namespace: "" }] },
    { annotations: [{ key: annotations.environment, operator: "=", values: [name] }] },
    { annotations: [{ key: annotations.environment, operator: "!" }] },
  ];
}

/** As an agent creates it. */
export function environment(name: string, spec: Partial<EnvironmentSpec> = {}): Environment {
  return {
    apiVersion,
    kind: "Environment",
    metadata: { name, finalizers: [agentFinalizer] },
    spec: {
      hostTarget: {
        type: kubernetesClusterTargetType,
        annotations: { [annotations.environment]: name },
        config: { kubeconfig: { secretRef: { key: "kubeconfig", name: `${name}-target-access`, namespace: "host" } } },
      },
      namespace: "deployers",
      landscaperClusterConfig: {
        host: "https://landscaper.example",
        apiPath: "",
        insecure: false,
        caData: Buffer.from("authority").toString("base64"),
      },
      targetSelectors: defaultSelectors(name),
      ...spec,
    },
  };
}

const anything = (name: string) => ({ name, type: "data", schema: {} });
const cluster = (name: string) => ({ name, type: "target", targetType: kubernetesClusterTargetType });

export interface TestRegistration {
  readonly types?: readonly string[];
  readonly version?: string;
  /** Of its blueprint. Default: one that succeeds. */
  readonly items?: readonly TestItem[];
  /** Template of its blueprint, instead of items. */
  readonly deploy?: string;
  readonly mappings?: Record<string, unknown>;
}

/** A deployer that consists of items for the test deployer. */
export function registration(name: string, options: TestRegistration = {}): DeployerRegistration {
  const { types = [`test/${name}`], items = [{ name: "deployer" }], mappings, version = "v1", deploy } = options;
  const blueprint = {
    imports: [
      cluster("cluster"),
      cluster("landscaperCluster"),
      ...["releaseName", "releaseNamespace", "identity", "targetSelectors"].map(anything),
    ],
    deploy: deploy ?? deployItems(...items.map((item) => ({ ...item, target: { import: "cluster" } }))),
  };
  return {
    apiVersion,
    kind: "DeployerRegistration",
    metadata: { name },
    spec: {
      types: [...types],
      installationTemplate: {
        blueprint: { inline: { filesystem: { ...filesystemOf(blueprint), version } } },
        ...(mappings === undefined ? {} : { importDataMappings: mappings }),
      },
    },
  };
}
