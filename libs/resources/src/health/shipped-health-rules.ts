import type { HealthRule } from "@landscaper/api";

/** For the current generation, where the condition has one. */
const isNew = "(!has(c.observedGeneration) || c.observedGeneration >= metadata.generation)";

/** A condition with this status. */
function hasCondition(type: string, status = "True", more = ` && ${isNew}`): string {
  return `has(status.conditions) && status.conditions.exists(c, c.type == "${type}" && c.status == "${status}"${more})`;
}

const isReady = hasCondition("Ready");
const isStalled = hasCondition("Stalled");
const isReadyAndSynced = `${isReady} && ${hasCondition("Synced")}`;
const isPausedByReason = 'has(status.conditions) && status.conditions.exists(c, c.reason == "ReconcilePaused")';
const isSuspended = "has(spec.suspend) && spec.suspend";
const isAutomated =
  "has(spec.syncPolicy) && has(spec.syncPolicy.automated) && !(has(spec.syncPolicy.automated.enabled) && spec.syncPolicy.automated.enabled == false)";
/** Argo CD has compared the present source. An Application has no observedGeneration. */
const isCompared =
  "has(status.sync) && has(status.sync.comparedTo) && ((has(spec.source) && has(status.sync.comparedTo.source) && status.sync.comparedTo.source == spec.source) || (has(spec.sources) && has(status.sync.comparedTo.sources) && status.sync.comparedTo.sources == spec.sources))";

/** The rules of a deployer whose configuration has none (docs/reference/health-rules.md#shipped-rules). Only states that do not change by waiting are `failed`. */
export const shippedHealthRules: readonly HealthRule[] = [
  {
    name: "cert-manager-certificate",
    groups: ["cert-manager.io"],
    kinds: ["Certificate"],
    inProgress: hasCondition("Issuing", "True", ""),
    failed: `has(status.lastFailureTime) && ${hasCondition("Issuing", "False", " && has(c.observedGeneration) && c.observedGeneration >= metadata.generation")} && !(${isReady})`,
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
    inProgress:
      'has(status.syncedResourceVersion) && !status.syncedResourceVersion.startsWith(string(metadata.generation) + "-")',
    current: isReady,
  },
  {
    name: "crossplane-managed",
    groups: ["*.crossplane.io", "*.upbound.io"],
    kinds: ["*"],
    anyField: ["spec.forProvider"],
    paused: isPausedByReason,
    current: isReadyAndSynced,
  },
  {
    name: "crossplane-composite",
    groups: ["*"],
    kinds: ["*"],
    anyField: [
      "spec.compositeDeletePolicy",
      "spec.compositionRef",
      "spec.crossplane.compositionRef",
      "spec.crossplane.compositionUpdatePolicy",
      "spec.crossplane.resourceRefs",
    ],
    paused: isPausedByReason,
    current: isReadyAndSynced,
  },
  {
    name: "flux-kustomization",
    groups: ["kustomize.toolkit.fluxcd.io"],
    kinds: ["Kustomization"],
    paused: isSuspended,
    failed: isStalled,
    current: `${isReady} && status.observedGeneration == metadata.generation`,
  },
  {
    name: "flux-helmrelease",
    groups: ["helm.toolkit.fluxcd.io"],
    kinds: ["HelmRelease"],
    paused: isSuspended,
    failed: isStalled,
    current: `${isReady} && status.observedGeneration == metadata.generation`,
  },
  {
    name: "argocd-application",
    groups: ["argoproj.io"],
    kinds: ["Application"],
    inProgress:
      'has(object.operation) || (has(status.operationState) && status.operationState.phase in ["Running", "Terminating"])',
    failed: `${isAutomated} && ${isCompared} && status.sync.status != "Synced" && has(status.operationState) && status.operationState.phase in ["Failed", "Error"]`,
    current: `${isCompared} && (${isAutomated} ? status.sync.status == "Synced" && status.health.status == "Healthy" : status.sync.status in ["Synced", "OutOfSync"])`,
  },
  {
    name: "cluster-api-cluster",
    groups: ["cluster.x-k8s.io"],
    kinds: ["Cluster"],
    paused:
      '(has(spec.paused) && spec.paused) || (has(metadata.annotations) && "cluster.x-k8s.io/paused" in metadata.annotations)',
    inProgress: hasCondition("RollingOut", "True", ""),
    failed: 'has(status.phase) && status.phase == "Failed"',
    current: `has(status.phase) && status.phase == "Provisioned" && (${isReady} || ${hasCondition("Available")})`,
  },
  {
    name: "cloudnative-pg-cluster",
    groups: ["postgresql.cnpg.io"],
    kinds: ["Cluster"],
    paused: 'has(metadata.annotations) && metadata.annotations[?"cnpg.io/hibernation"].orValue("") == "on"',
    current:
      'has(status.phase) && status.phase == "Cluster in healthy state" && status.readyInstances == spec.instances',
  },
  {
    name: "strimzi",
    groups: ["kafka.strimzi.io"],
    kinds: ["Kafka", "KafkaTopic", "KafkaUser", "KafkaConnect", "KafkaConnector", "KafkaMirrorMaker2", "KafkaBridge"],
    paused: hasCondition("ReconciliationPaused", "True", ""),
    current: `${isReady} && status.observedGeneration == metadata.generation`,
  },
  {
    name: "gateway",
    groups: ["gateway.networking.k8s.io"],
    kinds: ["Gateway"],
    failed: hasCondition("Accepted", "False", ` && ${isNew} && c.reason in ["Invalid", "UnsupportedAddress"]`),
    current: `${hasCondition("Accepted")} && ${hasCondition("Programmed")}`,
  },
];
