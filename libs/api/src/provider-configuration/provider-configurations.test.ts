import { describe, expect, it } from "@jest/globals";
import { deployerApiVersion } from "../configuration/deployer-configuration.ts";
import { parseContainerProviderConfiguration } from "./container.ts";
import { parseHelmProviderConfiguration } from "./helm.ts";
import { parseManifestProviderConfiguration, parseManifestProviderConfigurationV1alpha1 } from "./manifest.ts";
import { parseMockProviderConfiguration } from "./mock.ts";
import { warnOfConfiguration } from "./warn-of-configuration.ts";

const kind = "ProviderConfiguration";
const manifestMeta = { apiVersion: deployerApiVersion("manifest", "v1alpha2"), kind };
const helmMeta = { apiVersion: deployerApiVersion("helm"), kind };
const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { empty: "", nothing: null } };

/** The sections that manifest and helm items share, each with every field (deployers.md §2). */
const sections = {
  readinessChecks: {
    disableDefault: true,
    level: "kstatus",
    failFast: false,
    custom: [
      {
        name: "c",
        disabled: false,
        resourceSelector: [{ apiVersion: "v1", kind: "Pod", name: "p", namespace: "n" }],
        labelSelector: { apiVersion: "v1", kind: "Pod", matchLabels: { a: "b" } },
        requirements: [
          { jsonPath: ".status.phase", operator: "in", values: [{ value: "Running" }, { value: { any: [1] } }] },
          { jsonPath: ".status.x", operator: "!" },
        ],
        targetName: "t",
      },
    ],
  },
  exports: {
    exports: [
      {
        key: "a.b",
        jsonPath: ".data.x",
        fromResource: { apiVersion: "v1", kind: "Secret", name: "s", namespace: "n" },
      },
      {
        key: "c",
        jsonPath: ".secrets[0]",
        fromResource: { apiVersion: "v1", kind: "ServiceAccount", name: "s", namespace: "n" },
        fromObjectRef: { apiVersion: "v1", kind: "Secret", jsonPath: ".data.token" },
        targetName: "t",
      },
    ],
  },
  continuousReconcile: { every: "1h" },
  deletionGroups: [{ predefinedResourceGroup: { type: "namespaced-resources", forceDelete: true } }],
  deletionGroupsDuringUpdate: [
    {
      customResourceGroup: {
        resources: [{ apiVersion: "v1", kind: "ConfigMap", names: ["a"], namespaces: ["n"] }],
        forceDelete: false,
        deleteAllResources: true,
        targetName: "t",
      },
    },
  ],
};

describe("manifest v1alpha2", () => {
  it("keeps everything, manifests with their nulls", () => {
    const config = {
      ...manifestMeta,
      updateStrategy: "mergeOverwrite",
      serverSideApply: { force: true, takeOver: ["kubectl"] },
      driftDetection: "correct",
      driftIgnore: [
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          name: "a",
          namespace: "n",
          labels: { a: "b" },
          jsonPointers: ["/spec/replicas", ""],
        },
      ],
      manifests: [
        {
          policy: "keep",
          adopt: true,
          manifest: configMap,
          annotateBeforeCreate: { a: "b" },
          annotateBeforeDelete: { c: "d" },
          patchAfterDeployment: { data: { x: null } },
          patchBeforeDelete: { data: { y: "z" } },
        },
      ],
      ...sections,
    };
    expect(parseManifestProviderConfiguration(config, "config")).toEqual(config);
  });

  it("accepts fields that the original had once, with any value, and warns of them", () => {
    const config = {
      ...manifestMeta,
      updateStrategy: "update",
      kubeconfig: "AAAA",
      deleteTimeout: "3m",
      readinessChecks: { timeout: "3m" },
      exports: { defaultTimeout: 180, exports: [{ key: "a", jsonPath: ".a", timeout: { seconds: 5 } }] },
    };
    expect(parseManifestProviderConfiguration(config, "config")).toEqual(config);
    expect(warnOfConfiguration("config", config).map(({ message }) => message)).toEqual([
      'config: unknown field "kubeconfig"',
      'config: unknown field "deleteTimeout"',
      'config: unknown field "readinessChecks.timeout"',
      'config: field "exports.defaultTimeout" has no effect: the timeout of the deploy item counts',
      'config: field "exports.exports[0].timeout" has no effect: the timeout of the deploy item counts',
    ]);
  });

  it("updates and manages by default", () => {
    expect(
      parseManifestProviderConfiguration({ ...manifestMeta, manifests: [{ manifest: configMap }] }, "config"),
    ).toEqual({ ...manifestMeta, updateStrategy: "update", manifests: [{ policy: "manage", manifest: configMap }] });
  });

  it.each([
    [{ kind }, "apiVersion: required field is missing"],
    [
      { ...manifestMeta, updateStrategy: "x" },
      'updateStrategy: expected one of "update", "patch", "merge", "mergeOverwrite", "apply", found another text',
    ],
    [{ ...manifestMeta, manifests: [configMap] }, "manifests[0].manifest: required field is missing"],
    [
      { ...manifestMeta, manifests: [{ policy: "x", manifest: {} }] },
      'manifests[0].policy: expected one of "manage", "fallback", "keep", "ignore", "immutable", found another text',
    ],
    [
      { ...manifestMeta, deletionGroups: [{}] },
      "deletionGroups[0]: expected exactly one of the fields predefinedResourceGroup, customResourceGroup, found an empty object",
    ],
    [
      { ...manifestMeta, readinessChecks: { custom: [{ name: "a", requirements: [] }] } },
      "readinessChecks.custom[0].requirements: expected at least 1 entry, found an empty list",
    ],
    [
      {
        ...manifestMeta,
        readinessChecks: { custom: [{ name: "a", requirements: [{ jsonPath: "x", operator: "~" }] }] },
      },
      'readinessChecks.custom[0].requirements[0].operator: expected one of "!", "exists", "=", "==", "!=", "in", "notin", found another text',
    ],
    [
      { ...manifestMeta, exports: { exports: [{ key: "a" }] } },
      "exports.exports[0].jsonPath: required field is missing",
    ],
  ])("refuses %j and names the field", (config, problem) => {
    expect(() => parseManifestProviderConfiguration(config, "config")).toThrow(
      new Error(`config: not a valid ProviderConfiguration: ${problem}`),
    );
  });
});

describe("manifest v1alpha1", () => {
  const meta = { apiVersion: deployerApiVersion("manifest"), kind };

  it("has bare manifests, and keeps the other sections, too", () => {
    const config = { ...meta, updateStrategy: "patch", manifests: [configMap], ...sections };
    expect(parseManifestProviderConfigurationV1alpha1(config, "config")).toEqual(config);
  });

  it("refuses what is no object", () => {
    expect(() => parseManifestProviderConfigurationV1alpha1({ ...meta, manifests: ["x"] }, "config")).toThrow(
      new Error("config: not a valid ProviderConfiguration: manifests[0]: expected an object, found a string"),
    );
  });
});

describe("mock", () => {
  const meta = { apiVersion: deployerApiVersion("mock"), kind };

  it("keeps everything", () => {
    const config = {
      ...meta,
      phase: "Failed",
      initialPhase: "Progressing",
      providerStatus: { a: [1] },
      export: { b: null },
      continuousReconcile: { cron: "@hourly" },
    };
    expect(parseMockProviderConfiguration(config, "config")).toEqual(config);
    expect(parseMockProviderConfiguration(meta, "config")).toEqual(meta);
  });

  it("refuses exports that are no object", () => {
    expect(() => parseMockProviderConfiguration({ ...meta, export: [] }, "config")).toThrow(
      new Error("config: not a valid ProviderConfiguration: export: expected an object, found an empty list"),
    );
  });
});

describe("helm", () => {
  const minimal = { ...helmMeta, name: "r", namespace: "n", chart: { ref: "host/chart:1.0.0" } };

  it("makes a release, without its namespace, by default", () => {
    expect(parseHelmProviderConfiguration(minimal, "config")).toEqual({
      ...minimal,
      createNamespace: false,
      helmDeployment: true,
    });
  });

  it("keeps everything", () => {
    const options = {
      atomic: true,
      force: true,
      skipSchemaValidation: true,
      takeOwnership: true,
      crdPolicy: "CreateReplace",
      wait: true,
      waitStrategy: "watcher",
      waitForJobs: true,
      timeout: "5m",
    };
    const config = {
      ...minimal,
      chart: {
        ref: "a",
        fromResource: { ref: { componentName: "c", version: "v1" }, resourceName: "r" },
        archive: { raw: "AAAA", remote: { url: "https://host/chart.tgz" } },
        helmChartRepo: { helmChartRepoUrl: "https://host", helmChartName: "c", helmChartVersion: "1.0.0" },
        resourceRef: "AAAA",
      },
      createNamespace: true,
      values: { a: null, b: [1] },
      helmDeployment: false,
      helmDeploymentConfig: { install: options, upgrade: options, uninstall: { wait: true, timeout: "1m" } },
      updateStrategy: "merge",
      exportsFromManifests: [{ key: "a", jsonPath: ".Values.a" }],
      ...sections,
    };
    expect(parseHelmProviderConfiguration(config, "config")).toEqual(config);
  });

  it.each([
    [{ ...minimal, chart: {} }, "chart: expected at least 1 field, found an empty object"],
    [{ ...minimal, chart: null }, "chart: required field is missing"],
    [{ ...minimal, name: "" }, "name: expected at least 1 character, found an empty string"],
    [
      { ...minimal, chart: { helmChartRepo: { helmChartName: "c", helmChartVersion: "1" } } },
      "chart.helmChartRepo.helmChartRepoUrl: required field is missing",
    ],
    [
      { ...minimal, helmDeploymentConfig: { install: { atomik: true } } },
      'helmDeploymentConfig.install.atomik: unknown field, did you mean "atomic"?',
    ],
    [
      { ...minimal, helmDeploymentConfig: { upgrade: { crdPolicy: "Replace" } } },
      'helmDeploymentConfig.upgrade.crdPolicy: expected one of "Skip", "Create", "CreateReplace", found another text',
    ],
    [
      { ...minimal, helmDeploymentConfig: { install: { waitStrategy: "Watcher" } } },
      'helmDeploymentConfig.install.waitStrategy: expected one of "watcher", "legacy", "hookOnly", found another text, did you mean "watcher"?',
    ],
    [
      { ...minimal, helmDeploymentConfig: { uninstall: { atomic: true } } },
      "helmDeploymentConfig.uninstall.atomic: unknown field",
    ],
  ])("refuses %j and names the field", (config, problem) => {
    expect(() => parseHelmProviderConfiguration(config, "config")).toThrow(
      new Error(`config: not a valid ProviderConfiguration: ${problem}`),
    );
  });
});

describe("container", () => {
  const meta = { apiVersion: deployerApiVersion("container"), kind };

  it("keeps everything", () => {
    const config = {
      ...meta,
      image: "i",
      command: ["c"],
      args: ["a"],
      importValues: [null, { a: 1 }],
      blueprint: { inline: { filesystem: { a: "b" } } },
      componentDescriptor: { ref: { componentName: "c", version: "v1", repositoryContext: { type: "x" } } },
      registryPullSecrets: [{ name: "s", namespace: "n" }],
      continuousReconcile: { every: "1h" },
    };
    expect(parseContainerProviderConfiguration(config, "config")).toEqual(config);
    expect(parseContainerProviderConfiguration(meta, "config")).toEqual(meta);
  });

  it("parses as the original's documents write it", () => {
    const ref = { componentName: "example.com/my-comp", version: "v0.1.2", repositoryContext: { type: "ociRegistry" } };
    const config = {
      ...meta,
      componentDescriptor: { ref },
      blueprint: { ref: { resourceName: "blueprint" } },
      importValues: { a: { b: [1] } },
      image: "example.com/image:1",
      command: ["my command"],
      args: ["--flag1", "my arg"],
    };
    expect(parseContainerProviderConfiguration(config, "config")).toEqual(config);
    expect(warnOfConfiguration("config", config)).toEqual([]);
  });

  it("requires the namespace of pull secrets", () => {
    expect(() =>
      parseContainerProviderConfiguration({ ...meta, registryPullSecrets: [{ name: "s" }] }, "config"),
    ).toThrow(
      new Error(
        "config: not a valid ProviderConfiguration: registryPullSecrets[0].namespace: required field is missing",
      ),
    );
  });
});
