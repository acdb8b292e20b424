import { describe, expect, it } from "@jest/globals";
import { parseAgentConfiguration } from "./agent-configuration.ts";
import {
  deployerApiVersion,
  parseHelmDeployerConfiguration,
  parseManifestDeployerConfiguration,
  parseMockDeployerConfiguration,
} from "./deployer-configuration.ts";
import { parseContainerDeployerConfiguration } from "./container-deployer-configuration.ts";
import { egressDefaults } from "../../test/egress.ts";

const work = {
  controller: { workers: 30, cacheSyncTimeout: "2m" },
  targets: {
    shares: {},
    requests: {
      connectTimeout: "10s",
      answerTimeout: "30s",
      totalTimeout: "60s",
      maxObjectMiB: 8,
      maxListMiB: 64,
      unansweredRequests: 3,
      longestRest: "1m",
    },
  },
  fieldValidation: "Warn",
  emptyProtection: "on",
  targetWait: "30s",
  ...egressDefaults,
};
const shared = { ...work, hpa: { maxReplicas: 1 } };
const targetSelector = [{ annotations: [{ key: "landscaper.gardener.cloud/environment", operator: "!" }] }];

const helperResources = { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "1", memory: "256Mi" } };

describe("configuration files of the deployers", () => {
  it.each([
    ["helm", parseHelmDeployerConfiguration, { ...shared, abandonedAfter: "5m", helmVersion: "4" }],
    ["manifest", parseManifestDeployerConfiguration, shared],
    ["mock", parseMockDeployerConfiguration, shared],
    [
      "container",
      parseContainerDeployerConfiguration,
      {
        ...shared,
        namespace: "default",
        defaultImage: { image: "ubuntu:18.04" },
        initContainer: { resources: helperResources },
        waitContainer: { resources: helperResources },
        pod: {
          resources: {},
          labels: {},
          annotations: {},
          nodeSelector: {},
          tolerations: [],
          sizeLimit: "1Gi",
          startGrace: "2m",
        },
        state: { maxSize: "64Mi" },
        logs: "on",
        garbageCollection: { disable: false, worker: 5, requeueTimeSeconds: 3600 },
        debug: { keepPod: false, keepFailedPod: false },
      },
    ],
    [
      "agent",
      parseAgentConfiguration,
      {
        ...work,
        abandonedAfter: "5m",
        helmVersion: "4",
        name: "default",
        namespace: "ls-system",
        landscaperNamespace: "ls-system",
      },
    ],
  ])("of the %s: an empty one gets the defaults", (_, parse, want) => {
    expect(parse({}, "config.yaml")).toEqual(want);
  });

  it.each([
    ["helm", parseHelmDeployerConfiguration],
    ["manifest", parseManifestDeployerConfiguration],
    ["mock", parseMockDeployerConfiguration],
    ["container", parseContainerDeployerConfiguration],
  ])("of the %s: identity, selectors and workers are kept, and an unknown field does not matter", (deployer, parse) => {
    const file = {
      apiVersion: deployerApiVersion(deployer),
      kind: "Configuration",
      identity: "me",
      // The chart of the original writes it, though nobody reads it (deployers.md §2.1).
      namespace: "ls-system",
      targetSelector,
      hpa: { maxReplicas: 5 },
      controller: { workers: 2, cacheSyncTimeout: "1m" },
    };
    expect(parse(file, "config.yaml")).toMatchObject(file);
  });

  it("of the manifest deployer may be of either version", () => {
    const file = { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2", kind: "Configuration" };
    expect(parseManifestDeployerConfiguration(file, "config.yaml")).toMatchObject(file);
  });

  it("of the container deployer takes commands as lists", () => {
    const waitContainer = { image: "w", command: ["/wait"], args: ["-v"], imagePullPolicy: "Always" };
    expect(parseContainerDeployerConfiguration({ waitContainer }, "config.yaml").waitContainer).toEqual({
      ...waitContainer,
      resources: helperResources,
    });
    expect(() => parseContainerDeployerConfiguration({ waitContainer: { command: 1 } }, "config.yaml")).toThrow(
      new Error(
        "config.yaml: not a valid Configuration: waitContainer.command: expected a list of words, or one word, found a number",
      ),
    );
  });

  it("of the container deployer parses as the original's documents write it: texts in place of lists, one selector", () => {
    const container = { image: "someimage", command: "", args: "", imagePullPolicy: "IfNotPresent" };
    const file = {
      apiVersion: "container.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "Configuration",
      namespace: "default",
      initContainer: container,
      waitContainer: container,
      defaultImage: container,
      oci: { allowPlainHttp: false, insecureSkipVerify: false },
      targetSelector: { annotations: [], labels: [] },
      debug: { keepPod: false },
    };
    expect(parseContainerDeployerConfiguration(file, "config.yaml")).toMatchObject(file);
    expect(parseContainerDeployerConfiguration.findIgnored(file)).toEqual([]);
  });

  it("of the helm deployer: lists the fields without effect, which may hold anything", () => {
    const file = {
      hpa: { maxReplicas: "many" },
      controller: { workers: 2, cacheSyncTimeout: 5 },
      oci: { allowPlainHttp: true, cache: { path: "/cache", useInMemoryOverlay: "yes" } },
      export: { defaultTimeout: "soon" },
    };
    expect(parseHelmDeployerConfiguration(file, "config.yaml")).toMatchObject(file);
    expect(parseHelmDeployerConfiguration.findIgnored(file)).toEqual([
      { path: "hpa", why: "replicas share the work, however many there are" },
      { path: "controller.cacheSyncTimeout", why: "a first list takes as long as it takes" },
      { path: "oci.cache.useInMemoryOverlay", why: "there is one cache, with a limit of its own" },
      { path: "export.defaultTimeout", why: "the timeout of a deploy item counts" },
    ]);
  });

  it("of the helm deployer: takes no workers for the default, as the original does", () => {
    const { controller } = parseHelmDeployerConfiguration({ controller: { workers: 0 } }, "config.yaml");
    expect(controller.workers).toBe(30);
  });

  it.each([
    [
      { apiVersion: deployerApiVersion("mock") },
      `apiVersion: expected "${deployerApiVersion("helm")}", found another text`,
    ],
    [
      { targetSelector: [{ annotations: [{ operator: "!" }] }] },
      "targetSelector[0].annotations[0].key: required field is missing",
    ],
    [{ controller: { workers: -1 } }, "controller.workers: expected a number >= 0, found a number"],
    [{ namespaces: [] }, "namespaces: expected at least 1 entry, found an empty list"],
    [{ namespaces: ["a", "b", "a"] }, "namespaces: expected every entry once, found a list"],
    [
      { namespaces: ["a.b"] },
      'namespaces[0]: expected text that matches "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", found another text',
    ],
    [{ oci: { configFiles: "a" } }, "oci.configFiles: expected a list, found a string"],
  ])("of the helm deployer: refuses %j and names the field", (file, problem) => {
    expect(() => parseHelmDeployerConfiguration(file, "config.yaml")).toThrow(
      new Error(`config.yaml: not a valid Configuration: ${problem}`),
    );
  });
});
