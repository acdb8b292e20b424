import type { HealthRule } from "@landscaper/api";

/** A condition with this status, about the present generation where it says so. */
function hasCondition(type: string, status = "True", more = ""): string {
  const isNew = "(!has(c.observedGeneration) || c.observedGeneration >= metadata.generation)";
  return `has(status.conditions) && status.conditions.exists(c, c.type == "${type}" && c.status == "${status}" && ${isNew}${more})`;
}

const isReady = hasCondition("Ready");
const isStalled = hasCondition("Stalled");
const isReadyAndSynced = `${isReady} && ${hasCondition("Synced")}`;
/** Nobody works on it, so its status does not change. */
const isSuspended = "has(spec.suspend) && spec.suspend";
const isAutomated = "has(spec.syncPolicy) && has(spec.syncPolicy.automated)";

/** The rules of a deployer whose configuration has none (docs/reference/health-rules.md#shipped-rules). Only states that do not change by waiting are `failed`. */
export const shippedHealthRules: readonly HealthRule[] = [
  {
    name: "cert-manager-certificate",
    groups: ["cert-manager.io"],
    kinds: ["Certificate"],
    inProgress: hasCondition("Issuing"),
    failed: `has(status.lastFailureTime) && !(${isReady})`,
    current: isReady,
  },
  {
    name: "cert-manager-issuer",
    groups: ["cert-manager.io"],
    kinds: ["Issuer", "ClusterIssuer"],
    current: isReady,
  },
  {
    name: "external-secrets",
    groups: ["external-secrets.io"],
    kinds: ["ExternalSecret", "ClusterExternalSecret", "SecretStore", "ClusterSecretStore", "PushSecret"],
    current: isReady,
  },
  {
    name: "crossplane-managed",
    groups: ["*.crossplane.io", "*.upbound.io"],
    kinds: ["*"],
    match: "has(spec.forProvider)",
    current: isReadyAndSynced,
  },
  {
    name: "crossplane-claim",
    groups: ["*"],
    kinds: ["*"],
    match: "has(spec.compositeDeletePolicy) || has(spec.crossplane)",
    current: isReadyAndSynced,
  },
  {
    name: "flux-kustomization",
    groups: ["kustomize.toolkit.fluxcd.io"],
    kinds: ["Kustomization"],
    failed: isStalled,
    current: `(${isSuspended}) || (${isReady} && status.observedGeneration == metadata.generation)`,
  },
  {
    name: "flux-helmrelease",
    groups: ["helm.toolkit.fluxcd.io"],
    kinds: ["HelmRelease"],
    failed: isStalled,
    current: `(${isSuspended}) || (${isReady} && status.observedGeneration == metadata.generation)`,
  },
  {
    name: "argocd-application",
    groups: ["argoproj.io"],
    kinds: ["Application"],
    inProgress: 'has(status.operationState) && status.operationState.phase in ["Running", "Terminating"]',
    failed: 'has(status.operationState) && status.operationState.phase in ["Failed", "Error"]',
    current: `has(status.sync) && (!(${isAutomated}) || (status.sync.status == "Synced" && status.health.status == "Healthy"))`,
  },
  {
    name: "cluster-api-cluster",
    groups: ["cluster.x-k8s.io"],
    kinds: ["Cluster"],
    failed: 'has(status.phase) && status.phase == "Failed"',
    current: `(has(spec.paused) && spec.paused) || (has(status.phase) && status.phase == "Provisioned" && (${isReady} || ${hasCondition("Available")}))`,
  },
  {
    name: "cloudnative-pg-cluster",
    groups: ["postgresql.cnpg.io"],
    kinds: ["Cluster"],
    current:
      'has(status.phase) && status.phase == "Cluster in healthy state" && status.readyInstances == spec.instances',
  },
  {
    name: "strimzi-kafka",
    groups: ["kafka.strimzi.io"],
    kinds: ["Kafka", "KafkaConnect", "KafkaMirrorMaker2", "KafkaBridge"],
    current: `${isReady} && status.observedGeneration == metadata.generation`,
  },
  {
    name: "gateway",
    groups: ["gateway.networking.k8s.io"],
    kinds: ["Gateway"],
    failed: hasCondition("Accepted", "False", ' && c.reason in ["Invalid", "InvalidParameters", "UnsupportedAddress"]'),
    current: `${hasCondition("Accepted")} && ${hasCondition("Programmed")}`,
  },
];
