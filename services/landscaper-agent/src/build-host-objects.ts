import {
  labels,
  type ClusterRole,
  type KubeObject,
  type RoleBinding,
  type Secret,
  type ServiceAccount,
} from "@landscaper/api";
import { kubeconfigText, readKubeconfigToken, sealingKeyOf } from "@landscaper/deployer";
import type { AgentSettings } from "./agent-settings.ts";

/** Key of the kubeconfig in the access Secret. */
export const accessKey = "kubeconfig";
/** Key of the private key for which the tokens of deployers are sealed, in the same Secret. */
export const sealingKeyKey = "sealing-key";

const rbacGroup = "rbac.authorization.k8s.io";
const rbacVersion = `${rbacGroup}/v1`;

/** Marks what an agent has made on its host. */
function marksOf({ environment }: AgentSettings): Record<string, string> {
  return { [labels.deployerEnvironment]: environment };
}

/** Whether the agent of this Environment has made an object of its host. */
export function isMade({ metadata }: KubeObject, { environment }: AgentSettings): boolean {
  return metadata.labels?.[labels.deployerEnvironment] === environment;
}

export function buildAccount(settings: AgentSettings): ServiceAccount {
  const { names, namespace } = settings;
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: names.account, namespace, labels: marksOf(settings) },
    // Only TokenRequests give tokens of it.
    automountServiceAccountToken: false,
  };
}

/** Deployers of any kind are installed by it, with roles of their own, which only one that has their rights may make. */
export function buildRole(settings: AgentSettings): ClusterRole {
  return {
    apiVersion: rbacVersion,
    kind: "ClusterRole",
    metadata: { name: settings.names.role, labels: marksOf(settings) },
    rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
  };
}

export function buildBinding(settings: AgentSettings): RoleBinding {
  const { names, namespace } = settings;
  return {
    apiVersion: rbacVersion,
    kind: "ClusterRoleBinding",
    metadata: { name: names.role, labels: marksOf(settings) },
    roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: names.role },
    subjects: [{ kind: "ServiceAccount", name: names.account, namespace }],
  };
}

/** The kubeconfig of the account. */
function accessText({ host, names }: AgentSettings, token: string): string {
  return kubeconfigText(host, { name: names.account, user: { token } });
}

/** What the access Secret holds. */
export interface HostAccess {
  /** Of the account. */
  readonly token: string;
  /** Private key for which the tokens of deployers are sealed. */
  readonly privateKey: string;
}

const encode = (text: string): string => Buffer.from(text, "utf8").toString("base64");
const decode = (value: string | undefined): string => Buffer.from(value ?? "", "base64").toString("utf8");

export function buildAccessSecret(settings: AgentSettings, { token, privateKey }: HostAccess): Secret {
  const { names, namespace } = settings;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: names.accessSecret, namespace, labels: marksOf(settings) },
    data: { [accessKey]: encode(accessText(settings, token)), [sealingKeyKey]: encode(privateKey) },
  };
}

/** The token of the Secret, when everything else of its kubeconfig is as the agent would write it. */
export function readAccessToken(settings: AgentSettings, secret: Secret | undefined): string | undefined {
  const text = decode(secret?.data?.[accessKey]);
  const token = readKubeconfigToken(text);
  return token !== undefined && accessText(settings, token) === text ? token : undefined;
}

/** The private key of the Secret; undefined when there is none that tokens can be sealed for. */
export function readPrivateKey(secret: Secret | undefined): string | undefined {
  const key = decode(secret?.data?.[sealingKeyKey]);
  return sealingKeyOf(key) === undefined ? undefined : key;
}
