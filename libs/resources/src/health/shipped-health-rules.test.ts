// Statuses as the documentation of each project describes them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { parse } from "yaml";
import { evaluateHealth } from "./evaluate-health.ts";
import { checkHealthRules } from "./health-expressions.ts";
import { rulesFor } from "./health-rule.ts";
import { shippedHealthRules } from "./shipped-health-rules.ts";

type Status = Readonly<Record<string, unknown>>;

const condition = (...[type, status, reason = "R", more = {}]: readonly [string, string, string?, object?]) => ({
  type,
  status,
  reason,
  ...more,
});
const withConditions = (...conditions: readonly object[]): Status => ({ conditions });
const observed = (status: Status): Status => ({ observedGeneration: 2, ...status });

function objectOf(type: string, status: Status, spec: object = {}): UnstructuredObject {
  const [apiVersion = "", kind = ""] = type.split(" ");
  return { apiVersion, kind, metadata: { name: "x", namespace: "n", generation: 2 }, spec, status };
}

/** "status", or "status: message". */
function judge(object: UnstructuredObject): string {
  const result = evaluateHealth(object, rulesFor(object, shippedHealthRules));
  if (result === undefined) return "no rule";
  return result.status === "current" ? "current" : `${result.status}: ${result.message}`;
}

const certificate = "cert-manager.io/v1 Certificate";
const application = "argoproj.io/v1alpha1 Application";
const source = { repoURL: "r", targetRevision: "v2" };
const compared = { comparedTo: { source } };
const automated = { source, syncPolicy: { automated: {} } };
const gateway = "gateway.networking.k8s.io/v1 Gateway";
const outdated = "inProgress: its controller has not seen the last change yet";
const byRule = (rule: string, details = ""): string => `by health rule ${rule}${details}`;

describe("the shipped health rules", () => {
  it("compile", () => {
    expect(() => checkHealthRules(shippedHealthRules)).not.toThrow();
  });

  it("are those of the file that operators copy", () => {
    const file = join(import.meta.dirname, "../../../../docs/reference/health-rules.yaml");
    expect(parse(readFileSync(file, "utf8"))).toEqual({ healthRules: shippedHealthRules });
  });

  it.each<readonly [string, Status, string, object?]>([
    [certificate, withConditions(condition("Ready", "True", "Ready", { observedGeneration: 2 })), "current"],
    [
      certificate,
      withConditions(condition("Issuing", "True", "DoesNotExist"), condition("Ready", "False", "DoesNotExist")),
      `inProgress: is in progress ${byRule("cert-manager-certificate", ": Ready is False (DoesNotExist)")}`,
    ],
    [
      certificate,
      {
        ...withConditions(
          condition("Issuing", "False", "Failed", { observedGeneration: 2 }),
          condition("Ready", "False", "DoesNotExist"),
        ),
        lastFailureTime: "2026-01-01T00:00:00Z",
      },
      `failed: has failed ${byRule("cert-manager-certificate", ": Issuing is False (Failed), Ready is False (DoesNotExist)")}`,
    ],
    [
      certificate,
      withConditions(condition("Ready", "True", "Ready", { observedGeneration: 1 })),
      `inProgress: is not current ${byRule("cert-manager-certificate")}`,
    ],
    [
      certificate,
      {
        ...withConditions(
          condition("Issuing", "True", "DoesNotExist", { observedGeneration: 1 }),
          condition("Ready", "False", "DoesNotExist", { observedGeneration: 2 }),
        ),
        lastFailureTime: "2026-01-01T00:00:00Z",
      },
      `inProgress: is in progress ${byRule("cert-manager-certificate", ": Ready is False (DoesNotExist)")}`,
    ],
    [
      certificate,
      {
        ...withConditions(
          condition("Issuing", "False", "Failed", { observedGeneration: 1 }),
          condition("Ready", "True", "Ready", { observedGeneration: 1 }),
        ),
        lastFailureTime: "2026-01-01T00:00:00Z",
      },
      `inProgress: is not current ${byRule("cert-manager-certificate", ": Issuing is False (Failed)")}`,
    ],
    [
      "external-secrets.io/v1 ExternalSecret",
      { ...withConditions(condition("Ready", "True", "SecretSynced")), syncedResourceVersion: "1-abc" },
      `inProgress: is in progress ${byRule("external-secrets")}`,
    ],
    [
      "external-secrets.io/v1 ExternalSecret",
      { ...withConditions(condition("Ready", "True", "SecretSynced")), syncedResourceVersion: "2-abc" },
      "current",
    ],
    [
      "s3.aws.upbound.io/v1beta1 Bucket",
      withConditions(condition("Synced", "False", "ReconcilePaused")),
      "current",
      { forProvider: {} },
    ],
    [
      "spaces.upbound.io/v1beta1 ControlPlane",
      withConditions(condition("Ready", "True")),
      "no rule",
      { crossplane: {} },
    ],
    ["kafka.strimzi.io/v1beta2 KafkaTopic", withConditions(condition("ReconciliationPaused", "True")), "current"],
    [
      "kafka.strimzi.io/v1beta2 KafkaTopic",
      observed(withConditions(condition("NotReady", "True", "KafkaError"))),
      `inProgress: is not current ${byRule("strimzi", ": NotReady is True (KafkaError)")}`,
    ],
    [
      "kustomize.toolkit.fluxcd.io/v1 Kustomization",
      { observedGeneration: 1, ...withConditions(condition("Stalled", "True")) },
      "current",
      { suspend: true },
    ],
    [
      "cluster.x-k8s.io/v1beta2 Cluster",
      { phase: "Provisioned", ...withConditions(condition("Available", "True"), condition("RollingOut", "True")) },
      `inProgress: is in progress ${byRule("cluster-api-cluster")}`,
    ],
    ["cluster.x-k8s.io/v1beta2 Cluster", { observedGeneration: 1, phase: "Provisioned" }, "current", { paused: true }],
    [
      gateway,
      withConditions(condition("Accepted", "False", "InvalidParameters")),
      `inProgress: is not current ${byRule("gateway", ": Accepted is False (InvalidParameters)")}`,
    ],
    ["cert-manager.io/v1 ClusterIssuer", withConditions(condition("Ready", "True")), "current"],
    [
      "cert-manager.io/v1 Issuer",
      withConditions(condition("Ready", "False", "ErrRegisterACMEAccount")),
      `inProgress: is not current ${byRule("cert-manager-issuer", ": Ready is False (ErrRegisterACMEAccount)")}`,
    ],
    ["cert-manager.io/v1 Issuer", {}, `inProgress: is not current ${byRule("cert-manager-issuer")}`],
    ["external-secrets.io/v1 ExternalSecret", withConditions(condition("Ready", "True", "SecretSynced")), "current"],
    [
      "external-secrets.io/v1 ExternalSecret",
      withConditions(condition("Ready", "False", "SecretSyncedError")),
      `inProgress: is not current ${byRule("external-secrets", ": Ready is False (SecretSyncedError)")}`,
    ],
    [
      "external-secrets.io/v1 SecretStore",
      withConditions(condition("Ready", "False", "InvalidProviderConfig")),
      `inProgress: is not current ${byRule("external-secrets", ": Ready is False (InvalidProviderConfig)")}`,
    ],
    [
      "s3.aws.upbound.io/v1beta1 Bucket",
      withConditions(condition("Ready", "True", "Available"), condition("Synced", "True", "ReconcileSuccess")),
      "current",
      { forProvider: { region: "eu" } },
    ],
    [
      "s3.aws.upbound.io/v1beta1 Bucket",
      withConditions(condition("Ready", "False", "Creating"), condition("Synced", "True", "ReconcileSuccess")),
      `inProgress: is not current ${byRule("crossplane-managed", ": Ready is False (Creating)")}`,
      { forProvider: {} },
    ],
    [
      "s3.aws.upbound.io/v1beta1 Bucket",
      withConditions(condition("Ready", "True", "Available"), condition("Synced", "False", "ReconcileError")),
      `inProgress: is not current ${byRule("crossplane-managed", ": Synced is False (ReconcileError)")}`,
      { forProvider: {} },
    ],
    [
      "example.org/v1 Database",
      withConditions(condition("Ready", "True", "Available"), condition("Synced", "True", "ReconcileSuccess")),
      "current",
      { compositeDeletePolicy: "Background" },
    ],
    [
      "example.org/v1 Database",
      withConditions(condition("Ready", "False", "Waiting"), condition("Synced", "True", "ReconcileSuccess")),
      `inProgress: is not current ${byRule("crossplane-composite", ": Ready is False (Waiting)")}`,
      { compositeDeletePolicy: "Background" },
    ],
    [
      "example.org/v1 XDatabase",
      {},
      `inProgress: is not current ${byRule("crossplane-composite")}`,
      { crossplane: { compositionRef: { name: "c" } } },
    ],
    ["example.org/v1 Database", {}, "no rule"],
    ["v1 ConfigMap", {}, "no rule", { compositeDeletePolicy: "Background" }],
    [
      "kustomize.toolkit.fluxcd.io/v1 Kustomization",
      observed(withConditions(condition("Ready", "True", "ReconciliationSucceeded"))),
      "current",
    ],
    [
      "kustomize.toolkit.fluxcd.io/v1 Kustomization",
      observed(withConditions(condition("Ready", "Unknown", "Progressing"), condition("Reconciling", "True"))),
      `inProgress: is not current ${byRule("flux-kustomization", ": Ready is Unknown (Progressing)")}`,
    ],
    [
      "kustomize.toolkit.fluxcd.io/v1 Kustomization",
      observed(withConditions(condition("Ready", "False", "InvalidCELExpression"), condition("Stalled", "True"))),
      `failed: has failed ${byRule("flux-kustomization", ": Ready is False (InvalidCELExpression), Stalled is True (R)")}`,
    ],
    [
      "helm.toolkit.fluxcd.io/v2 HelmRelease",
      observed(withConditions(condition("Ready", "True", "InstallSucceeded"))),
      "current",
    ],
    [
      "helm.toolkit.fluxcd.io/v2 HelmRelease",
      { observedGeneration: 1, ...withConditions(condition("Ready", "True", "InstallSucceeded")) },
      outdated,
    ],
    [
      "helm.toolkit.fluxcd.io/v2 HelmRelease",
      observed(
        withConditions(condition("Ready", "False", "UpgradeFailed"), condition("Stalled", "True", "RetriesExceeded")),
      ),
      `failed: has failed ${byRule("flux-helmrelease", ": Ready is False (UpgradeFailed), Stalled is True (RetriesExceeded)")}`,
    ],
    ["helm.toolkit.fluxcd.io/v2 HelmRelease", {}, "current", { suspend: true }],
    ["cluster.x-k8s.io/v1beta1 Cluster", {}, "current", { paused: true }],
    [
      application,
      {
        sync: { ...compared, status: "Synced" },
        health: { status: "Healthy" },
        operationState: { phase: "Succeeded" },
      },
      "current",
      automated,
    ],
    [
      application,
      { sync: { ...compared, status: "Synced" }, health: { status: "Healthy" }, operationState: { phase: "Failed" } },
      "current",
      automated,
    ],
    [
      application,
      { sync: { comparedTo: { source: { targetRevision: "v1" } }, status: "Synced" }, health: { status: "Healthy" } },
      `inProgress: is not current ${byRule("argocd-application")}`,
      automated,
    ],
    [
      application,
      {
        sync: { ...compared, status: "OutOfSync" },
        health: { status: "Missing" },
        operationState: { phase: "Running" },
      },
      `inProgress: is in progress ${byRule("argocd-application")}`,
      automated,
    ],
    [
      application,
      {
        sync: { ...compared, status: "OutOfSync" },
        health: { status: "Missing" },
        operationState: { phase: "Failed" },
      },
      `failed: has failed ${byRule("argocd-application")}`,
      automated,
    ],
    [application, { sync: { ...compared, status: "OutOfSync" }, health: { status: "Missing" } }, "current", { source }],
    [
      application,
      { sync: { ...compared, status: "OutOfSync" } },
      "current",
      { source, syncPolicy: { automated: { enabled: false } } },
    ],
    [
      application,
      { sync: { ...compared, status: "Unknown" } },
      `inProgress: is not current ${byRule("argocd-application")}`,
      { source },
    ],
    [application, {}, `inProgress: is not current ${byRule("argocd-application")}`],
    [
      "cluster.x-k8s.io/v1beta1 Cluster",
      { phase: "Provisioned", ...withConditions(condition("Ready", "True")) },
      "current",
    ],
    [
      "cluster.x-k8s.io/v1beta2 Cluster",
      { phase: "Provisioned", ...withConditions(condition("Available", "True", "Available")) },
      "current",
    ],
    [
      "cluster.x-k8s.io/v1beta1 Cluster",
      { phase: "Provisioning", ...withConditions(condition("Ready", "False", "WaitingForControlPlane")) },
      `inProgress: is not current ${byRule("cluster-api-cluster", ": Ready is False (WaitingForControlPlane)")}`,
    ],
    ["cluster.x-k8s.io/v1beta1 Cluster", { phase: "Failed" }, `failed: has failed ${byRule("cluster-api-cluster")}`],
    [
      "postgresql.cnpg.io/v1 Cluster",
      { phase: "Cluster in healthy state", instances: 3, readyInstances: 3 },
      "current",
      { instances: 3 },
    ],
    [
      "postgresql.cnpg.io/v1 Cluster",
      { phase: "Creating a new replica", readyInstances: 2 },
      `inProgress: is not current ${byRule("cloudnative-pg-cluster")}`,
      { instances: 3 },
    ],
    [
      "postgresql.cnpg.io/v1 Cluster",
      {},
      `inProgress: is not current ${byRule("cloudnative-pg-cluster")}`,
      { instances: 3 },
    ],
    ["kafka.strimzi.io/v1beta2 Kafka", observed(withConditions(condition("Ready", "True"))), "current"],
    [
      "kafka.strimzi.io/v1beta2 Kafka",
      observed(withConditions(condition("NotReady", "True", "Creating"))),
      `inProgress: is not current ${byRule("strimzi", ": NotReady is True (Creating)")}`,
    ],
    [
      "kafka.strimzi.io/v1beta2 Kafka",
      { observedGeneration: 1, ...withConditions(condition("Ready", "True")) },
      outdated,
    ],
    [gateway, withConditions(condition("Accepted", "True"), condition("Programmed", "True")), "current"],
    [
      gateway,
      withConditions(condition("Accepted", "Unknown", "Pending"), condition("Programmed", "Unknown", "Pending")),
      `inProgress: is not current ${byRule("gateway", ": Accepted is Unknown (Pending), Programmed is Unknown (Pending)")}`,
    ],
    [
      gateway,
      withConditions(condition("Accepted", "False", "Invalid", { observedGeneration: 2 })),
      `failed: has failed ${byRule("gateway", ": Accepted is False (Invalid)")}`,
    ],
    [
      gateway,
      withConditions(condition("Accepted", "False", "Invalid", { observedGeneration: 1 })),
      `inProgress: is not current ${byRule("gateway", ": Accepted is False (Invalid)")}`,
    ],
  ])("judge %s with %j", (...[type, status, expected, spec = {}]) => {
    expect(judge(objectOf(type, status, spec))).toBe(expected);
  });
});
