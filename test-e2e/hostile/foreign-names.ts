// Every field of a spec that names an object which the services then read with rights of their own.
import type { UnstructuredObject } from "@landscaper/api";
import { deployItems, goTemplate, inlineInstallation } from "../src/installations/inline-installation.ts";
import { itemConfig } from "../src/items/item-scope.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const clusterType = "landscaper.gardener.cloud/kubernetes-cluster";

/** What is there in the namespace of the victim, by plural: name of the object. */
export const victimNames = {
  secrets: "credentials",
  configmaps: "settings",
  dataobjects: "data",
  targets: "cluster",
  contexts: "context",
  serviceaccounts: "robot",
} as const;

export interface SpotPlace {
  /** For the objects of this attack. */
  readonly name: string;
  /** Of the tenant. */
  readonly namespace: string;
  /** Namespace of the victim. */
  readonly victim: string;
  /** A registry that asks for credentials, and repository of charts. */
  readonly registry: string;
}

/** A field of a spec that names an object. */
export interface NameSpot {
  readonly field: string;
  /** What it names. */
  readonly plural: keyof typeof victimNames;
  /** The kind of the object, called `name`, whose status or job says how it ends. */
  readonly end: "Installation" | "DeployItem" | "TargetSync";
  readonly objects: (foreign: string, place: SpotPlace) => readonly UnstructuredObject[];
}

function installationWith(name: string, imports: object, type: object): UnstructuredObject {
  const blueprint = { imports: [{ name: "in", ...type }], deployExecutions: deployItems() };
  return inlineInstallation({ name, blueprint, imports: { ...imports } });
}

const data = { type: "data", schema: {} };
const target = { type: "target", targetType: clusterType };

function targetWith(name: string, spec: object): UnstructuredObject {
  return { apiVersion, kind: "Target", metadata: { name }, spec: { type: clusterType, ...spec } };
}

function item(name: string, spec: object): UnstructuredObject {
  const type = "landscaper.gardener.cloud/kubernetes-manifest";
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map", namespace: "default" } };
  return { apiVersion, kind: "DeployItem", metadata: { name }, spec: { type, config: itemConfig([map]), ...spec } };
}

function helmItem({ name, namespace }: SpotPlace, config: object, spec: object = {}): UnstructuredObject {
  const head = { apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" };
  return item(name, {
    type: "landscaper.gardener.cloud/helm",
    target: { name: "own", namespace },
    config: { ...head, name: "app", namespace: "default", ...config },
    ...spec,
  });
}

const chart = ({ registry }: SpotPlace) => ({ chart: { ref: `${registry}/charts/app:1.0.0` } });
const repository = ({ registry }: SpotPlace) => ({
  chart: { helmChartRepo: { helmChartRepoUrl: registry, helmChartName: "app", helmChartVersion: "1.0.0" } },
});

function contextWith(name: string, fields: object): UnstructuredObject {
  return { apiVersion, kind: "Context", metadata: { name }, ...fields };
}

function valuesSpot(kind: string, plural: NameSpot["plural"]): NameSpot {
  return {
    field: `DeployItem spec.config.valuesFrom[0].name of a ${kind}`,
    plural,
    end: "DeployItem",
    objects: (foreign, place) => [helmItem(place, { ...chart(place), valuesFrom: [{ kind, name: foreign }] })],
  };
}

/** A template that gives a function a Target of its own making. */
function functionSpot(what: string, plural: NameSpot["plural"], spec: (foreign: string) => object): NameSpot {
  return {
    field: `${what} of the Target that a template gives a function`,
    plural,
    end: "Installation",
    objects: (foreign, { name, victim }) => {
      const given = targetWith("made-up", spec(foreign));
      const made = { ...given, metadata: { name: "made-up", namespace: victim } };
      const call = `getServiceAccountKubeconfig "robot" "${victim}" 3600 (fromJson ${JSON.stringify(JSON.stringify(made))})`;
      const template = `deployItems: []\nstate: { stolen: {{ ${call} }} }\n`;
      return [inlineInstallation({ name, blueprint: { deployExecutions: goTemplate(template) } })];
    },
  };
}

const self = (name: string) => ({ config: { selfConfig: { serviceAccount: { name } } } });

export const nameSpots: readonly NameSpot[] = [
  {
    field: "Installation spec.imports.data[0].dataRef",
    plural: "dataobjects",
    end: "Installation",
    objects: (dataRef, { name }) => [installationWith(name, { data: [{ name: "in", dataRef }] }, data)],
  },
  {
    field: "Installation spec.imports.data[0].secretRef.name",
    plural: "secrets",
    end: "Installation",
    objects: (foreign, { name }) => [
      installationWith(name, { data: [{ name: "in", secretRef: { name: foreign } }] }, data),
    ],
  },
  {
    field: "Installation spec.imports.data[0].configMapRef.name",
    plural: "configmaps",
    end: "Installation",
    objects: (foreign, { name }) => [
      installationWith(name, { data: [{ name: "in", configMapRef: { name: foreign } }] }, data),
    ],
  },
  {
    field: "Installation spec.imports.targets[0].target",
    plural: "targets",
    end: "Installation",
    objects: (foreign, { name }) => [installationWith(name, { targets: [{ name: "in", target: foreign }] }, target)],
  },
  {
    field: "Installation spec.imports.targets[0].targets[0]",
    plural: "targets",
    end: "Installation",
    objects: (foreign, { name }) => [
      installationWith(name, { targets: [{ name: "in", targets: [foreign] }] }, { ...target, type: "targetList" }),
    ],
  },
  {
    field: "Installation spec.imports.targets[0].targetMap",
    plural: "targets",
    end: "Installation",
    objects: (foreign, { name }) => [
      installationWith(
        name,
        { targets: [{ name: "in", targetMap: { one: foreign } }] },
        { ...target, type: "targetMap" },
      ),
    ],
  },
  {
    field: "Installation spec.context",
    plural: "contexts",
    end: "Installation",
    objects: (context, { name }) => [
      inlineInstallation({ name, blueprint: { deployExecutions: deployItems() }, spec: { context } }),
    ],
  },
  functionSpot("spec.secretRef.name", "secrets", (name) => ({ secretRef: { name, key: "kubeconfig" } })),
  functionSpot("selfConfig.serviceAccount.name", "serviceaccounts", self),
  {
    field: "DeployItem spec.target.name",
    plural: "targets",
    end: "DeployItem",
    objects: (foreign, { name, victim }) => [item(name, { target: { name: foreign, namespace: victim } })],
  },
  {
    field: "Target spec.secretRef.name",
    plural: "secrets",
    end: "DeployItem",
    objects: (foreign, { name, namespace }) => [
      targetWith(name, { secretRef: { name: foreign, key: "kubeconfig" } }),
      item(name, { target: { name, namespace } }),
    ],
  },
  {
    field: "Target spec.config.selfConfig.serviceAccount.name",
    plural: "serviceaccounts",
    end: "DeployItem",
    objects: (foreign, { name, namespace }) => [
      targetWith(name, self(foreign)),
      item(name, { target: { name, namespace } }),
    ],
  },
  {
    field: "DeployItem spec.context",
    plural: "contexts",
    end: "DeployItem",
    objects: (context, place) => [helmItem(place, chart(place), { context })],
  },
  {
    field: "Context registryPullSecrets[0].name",
    plural: "secrets",
    end: "DeployItem",
    objects: (foreign, place) => [
      contextWith(place.name, { registryPullSecrets: [{ name: foreign }] }),
      helmItem(place, chart(place), { context: place.name }),
    ],
  },
  {
    field: "Context configurations.helmChartRepoCredentials.auths[0].secretRef.name",
    plural: "secrets",
    end: "DeployItem",
    objects: (foreign, place) => {
      const auths = [{ url: place.registry, secretRef: { name: foreign, key: "authHeader" } }];
      return [
        contextWith(place.name, { configurations: { helmChartRepoCredentials: { auths } } }),
        helmItem(place, repository(place), { context: place.name }),
      ];
    },
  },
  valuesSpot("Secret", "secrets"),
  valuesSpot("ConfigMap", "configmaps"),
  valuesSpot("DataObject", "dataobjects"),
  {
    field: "TargetSync spec.secretRef.name",
    plural: "secrets",
    end: "TargetSync",
    objects: (foreign, { name, victim }) => [
      {
        apiVersion,
        kind: "TargetSync",
        metadata: { name },
        spec: { sourceNamespace: victim, secretRef: { name: foreign }, secretNameExpression: "*" },
      },
    ],
  },
];

/** Fields of a status that name objects, written while a job of the Installation runs. */
export interface StatusSpot {
  readonly field: string;
  readonly of: "Installation" | "Execution" | "DeployItem";
  readonly status: (victim: string) => object;
  /** How the job of the Installation ends: part of the message of its error; its phase when there is none. */
  readonly end: string;
}

const rootOf = (victim: string) => ({ name: "root", namespace: victim });
const pathOf = (victim: string, plural: string, name: string): string => `../../${victim}/${plural}/${name}`;

export const statusSpots: readonly StatusSpot[] = [
  {
    field: "executionRef",
    of: "Installation",
    status: (victim) => ({ executionRef: rootOf(victim) }),
    end: "execution root was deleted while the job was running",
  },
  {
    field: "executionRef with a path",
    of: "Installation",
    status: (victim) => ({ executionRef: { name: pathOf(victim, "executions", "root"), namespace: victim } }),
    end: "Execution: expected the name of an object",
  },
  {
    field: "installationRefs",
    of: "Installation",
    status: (victim) => ({ installationRefs: [{ name: "child", ref: rootOf(victim) }] }),
    end: "subinstallation root was deleted while the job was running",
  },
  {
    field: "subInstCache",
    of: "Installation",
    status: (victim) => {
      const objectName = pathOf(victim, "installations", "root");
      return { subInstCache: { activeSubs: [{ specName: "child", objectName }], orphanedSubs: ["root", objectName] } };
    },
    end: "Succeeded",
  },
  {
    field: "dependentsToTrigger",
    of: "Installation",
    status: (victim) => ({
      dependentsToTrigger: ["root", `${victim}/root`, pathOf(victim, "installations", "root")].map((name) => ({
        name,
      })),
    }),
    end: "Succeeded",
  },
  {
    field: "deployItemCache",
    of: "Execution",
    status: (victim) => {
      const objectName = pathOf(victim, "deployitems", "item");
      return { deployItemCache: { activeDIs: [{ specName: "item", objectName }], orphanedDIs: ["item", objectName] } };
    },
    end: "Succeeded",
  },
  {
    field: "exportRef",
    of: "Execution",
    status: (victim) => ({ exportRef: { name: victimNames.dataobjects, namespace: victim } }),
    end: "Succeeded",
  },
  {
    field: "exportRef",
    of: "DeployItem",
    status: (victim) => ({ exportRef: { name: victimNames.secrets, namespace: victim } }),
    end: "status.exportRef.namespace: expected",
  },
  {
    field: "exportRef with a path",
    of: "DeployItem",
    status: (victim) => ({ exportRef: { name: pathOf(victim, "secrets", victimNames.secrets) } }),
    end: "status.exportRef: Secret: expected the name of an object",
  },
];
