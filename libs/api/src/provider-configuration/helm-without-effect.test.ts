import { describe, expect, it } from "@jest/globals";
import { warnOfConfiguration } from "./warn-of-configuration.ts";

const minimal = {
  apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
  kind: "ProviderConfiguration",
  name: "r",
  namespace: "n",
  chart: { ref: "host/chart:1.0.0" },
};
const remediation = { retries: 1 };
const withoutRemediation = "without remediation the timeout of the deploy item counts";
const withoutRelease = "helmDeployment is false, so that there is no release";

describe("fields of a helm item that have no effect", () => {
  it.each<readonly [string, object, Readonly<Record<string, string>>]>([
    ["are none in a minimal configuration", {}, {}],
    [
      "are not approval and drift",
      { requireApproval: true, driftDetection: "correct", driftIgnore: [{ jsonPointers: ["/spec/replicas"] }] },
      {},
    ],
    [
      "are the timeouts of install, upgrade and uninstall",
      {
        helmDeploymentConfig: {
          install: { atomic: true, timeout: "5m" },
          upgrade: { wait: true, timeout: "5m" },
          uninstall: { wait: true, timeout: "5m" },
        },
      },
      {
        "helmDeploymentConfig.uninstall.timeout": "the timeout of the deploy item counts",
        "helmDeploymentConfig.install.timeout": withoutRemediation,
        "helmDeploymentConfig.upgrade.timeout": withoutRemediation,
      },
    ],
    [
      "are not the timeouts of attempts with remediation",
      { helmDeploymentConfig: { install: { timeout: "5m", remediation }, upgrade: { timeout: "5m", remediation } } },
      {},
    ],
    [
      "are remediation and its timeout beside atomic",
      { helmDeploymentConfig: { upgrade: { atomic: true, timeout: "5m", remediation } } },
      {
        "helmDeploymentConfig.upgrade.timeout": "atomic undoes the first failure",
        "helmDeploymentConfig.upgrade.remediation": "atomic undoes the first failure",
      },
    ],
    [
      "are, without wait, the ways to wait",
      {
        helmDeploymentConfig: {
          install: { waitStrategy: "watcher", waitForJobs: true },
          upgrade: { wait: false, waitStrategy: "hookOnly", waitForJobs: false },
        },
      },
      {
        "helmDeploymentConfig.install.waitStrategy": "wait is not true",
        "helmDeploymentConfig.install.waitForJobs": "wait is not true",
        "helmDeploymentConfig.upgrade.waitStrategy": "wait is not true",
      },
    ],
    [
      "are not the ways to wait beside atomic, because Helm 4 waits then",
      { helmDeploymentConfig: { install: { atomic: true, waitStrategy: "legacy", waitForJobs: true } } },
      {},
    ],
    [
      "are the ways to wait beside atomic as Helm 3, without wait",
      { helmVersion: "3", helmDeploymentConfig: { install: { atomic: true, waitStrategy: "legacy" } } },
      { "helmDeploymentConfig.install.waitStrategy": "wait is not true" },
    ],
    [
      "are Jobs beside a strategy for hooks only",
      {
        helmDeploymentConfig: {
          install: { wait: true, waitStrategy: "hookOnly", waitForJobs: true },
          upgrade: { wait: true, waitStrategy: "legacy", waitForJobs: true },
        },
      },
      { "helmDeploymentConfig.install.waitForJobs": "waitStrategy hookOnly waits for hooks only" },
    ],
    [
      "are, of a release, hooks, deletion groups and strategies of manifests",
      {
        hooks: "run",
        updateStrategy: "patch",
        deletionGroups: [{ predefinedResourceGroup: { type: "crds" } }],
        // They order what a former item without a release has left.
        deletionGroupsDuringUpdate: [{ predefinedResourceGroup: { type: "crds" } }],
      },
      {
        hooks: "a release runs the hooks of its chart",
        updateStrategy: "a release is updated by the three-way merge of Helm, or by apply",
        deletionGroups: "a release is uninstalled in the order of Helm",
      },
    ],
    ["are, of a release, not the strategies that it has", { updateStrategy: "apply" }, {}],
    ["are, of a release, not the default strategy", { updateStrategy: "update", deletionGroups: [], hooks: null }, {}],
    [
      "are, without a release, the options of releases",
      {
        helmDeployment: false,
        labels: { team: "x" },
        hooks: "run",
        updateStrategy: "patch",
        deletionGroups: [{ predefinedResourceGroup: { type: "crds" } }],
        helmDeploymentConfig: {
          install: { atomic: true, wait: false, skipSchemaValidation: true, timeout: "5m" },
          upgrade: { wait: true, waitStrategy: "watcher", waitForJobs: true },
          uninstall: { wait: true, timeout: "5m" },
        },
      },
      {
        "helmDeploymentConfig.uninstall.timeout": "the timeout of the deploy item counts",
        labels: withoutRelease,
        "helmDeploymentConfig.install.atomic": withoutRelease,
        "helmDeploymentConfig.install.timeout": withoutRelease,
        "helmDeploymentConfig.upgrade.wait": withoutRelease,
        "helmDeploymentConfig.upgrade.waitStrategy": withoutRelease,
        "helmDeploymentConfig.upgrade.waitForJobs": withoutRelease,
        "helmDeploymentConfig.uninstall.wait": withoutRelease,
      },
    ],
    ["are none that can be read in what is no configuration", { helmDeploymentConfig: [1] }, {}],
  ])("%s", (...[, fields, expected]) => {
    expect(warnOfConfiguration("spec.config", { ...minimal, ...fields })).toEqual(
      Object.entries(expected).map(([path, why]) => ({
        reason: "WithoutEffect",
        message: `spec.config: field "${path}" has no effect: ${why}`,
      })),
    );
  });
});
