import { describe, expect, it } from "@jest/globals";
import { parseLandscaperConfiguration } from "./landscaper-configuration.ts";
import { egressDefaults } from "../../test/egress.ts";

const controller = { workers: 30, cacheSyncTimeout: "2m" };

/** What an empty file means (core.md §3.5). */
const defaults = {
  controllers: {
    installations: controller,
    executions: controller,
    deployItems: controller,
    contexts: { ...controller, config: { default: { disable: false, excludedNamespaces: [] } } },
  },
  registry: {},
  blueprintStore: {
    disableCache: false,
    indexMethod: "BlueprintDigestIndex",
    size: "250Mi",
    gcHighThreshold: 0.85,
    gcLowThreshold: 0.8,
    resetInterval: "1h",
    preservedHitsProportion: 0.5,
  },
  ...egressDefaults,
  crdManagement: { deployCrd: true, forceUpdate: true },
  targets: {
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
  deployItemTimeouts: { pickup: "5m", progressing: "10m", grace: "1m", abort: "5m" },
  deployerManagement: {
    disable: false,
    namespace: "ls-system",
    leaseNamespace: "ls-system",
    deployers: {},
    hubEnvironments: [],
    agent: { disable: false, name: "default" },
  },
  hpaMain: { maxReplicas: 1 },
  signatureVerificationEnforcementPolicy: "DoNotEnforce",
  fieldValidation: "Warn",
  emptyProtection: "on",
  deletionProtection: "on",
};

const apiVersion = "config.landscaper.gardener.cloud/v1alpha1";

describe("parseLandscaperConfiguration", () => {
  it("fills an empty file with the defaults", () => {
    expect(parseLandscaperConfiguration({}, "config.yaml")).toEqual(defaults);
    expect(parseLandscaperConfiguration({ controllers: null, registry: { oci: null } }, "config.yaml")).toEqual(
      defaults,
    );
  });

  it("keeps everything that a full file says", () => {
    const file = {
      apiVersion,
      kind: "LandscaperConfiguration",
      egress: {
        profile: "hardened",
        deny: ["10.0.0.0/8"],
        allow: ["*.example.com:443"],
        onlyAllowed: true,
        clusterCIDRs: ["100.64.0.0/10"],
        allowPlainHTTP: true,
        allowInsecureSkipTLSVerify: true,
        allowProxyURL: true,
        tokenRealms: [{ registry: "registry.example.com", realm: "login.example.com" }],
      },
      oidcTrustedServers: ["api.example.com"],
      oidcRequireAudience: true,
      controllers: {
        syncPeriod: "24h",
        installations: { workers: 1, cacheSyncTimeout: "1m" },
        executions: { workers: 2, cacheSyncTimeout: "1m" },
        deployItems: { workers: 3, cacheSyncTimeout: "1m" },
        contexts: {
          workers: 4,
          cacheSyncTimeout: "1m",
          config: {
            default: { disable: true, excludedNamespaces: ["kube-system"], repositoryContext: { type: "ociRegistry" } },
          },
        },
      },
      registry: {
        local: { rootPath: "/components" },
        oci: {
          configFiles: ["/a"],
          cache: { path: "/cache", useInMemoryOverlay: true },
          allowPlainHttp: true,
          insecureSkipVerify: true,
        },
      },
      blueprintStore: { ...defaults.blueprintStore, path: "/blueprints", size: "1Gi" },
      metrics: { port: 8080 },
      fieldValidation: "Strict",
      emptyProtection: "off",
      deletionProtection: "off",
      crdManagement: { deployCrd: false, forceUpdate: false },
      targets: {
        requests: {
          connectTimeout: "5s",
          answerTimeout: "20s",
          totalTimeout: "40s",
          maxObjectMiB: 4,
          maxListMiB: 32,
          unansweredRequests: 5,
          longestRest: "2m",
        },
      },
      deployItemTimeouts: { pickup: "none", progressing: "1h", grace: "10s", abort: "1m" },
      deployerManagement: {
        disable: true,
        namespace: "x",
        leaseNamespace: "y",
        deployers: {},
        hubEnvironments: ["e"],
        agent: {
          disable: true,
          name: "e",
          namespace: "n",
          landscaperNamespace: "l",
          targetSelectors: [{ targets: [] }],
        },
        deployerRepositoryContext: { type: "ociRegistry" },
      },
      lsDeployments: {
        lsController: "a",
        lsMainController: "b",
        webHook: "c",
        deploymentsNamespace: "d",
        lsHealthCheckName: "e",
        additionalDeployments: { deployments: ["f"] },
      },
      hpaMain: { maxReplicas: 3 },
      signatureVerificationEnforcementPolicy: "Enforce",
    };
    expect(parseLandscaperConfiguration(file, "config.yaml")).toEqual(file);
  });

  it("accepts the other spelling of contexts and of excludedNamespaces", () => {
    const file = { controllers: { context: { workers: 7, config: { default: { excludeNamespaces: ["a"] } } } } };
    expect(parseLandscaperConfiguration(file, "config.yaml").controllers.contexts).toEqual({
      workers: 7,
      cacheSyncTimeout: "2m",
      config: { default: { disable: false, excludedNamespaces: ["a"] } },
    });
  });

  it("takes the canonical spelling when both are there", () => {
    const file = {
      controllers: {
        context: { workers: 7 },
        contexts: { workers: 8, config: { default: { excludedNamespaces: ["a"], excludeNamespaces: ["b"] } } },
      },
    };
    expect(parseLandscaperConfiguration(file, "config.yaml").controllers.contexts).toMatchObject({
      workers: 8,
      config: { default: { excludedNamespaces: ["a"] } },
    });
  });

  it("moves the deprecated repositoryContext, unless the new place has one", () => {
    const old = { repositoryContext: { type: "old" } };
    const moved = parseLandscaperConfiguration(old, "config.yaml");
    expect(moved.controllers.contexts.config.default.repositoryContext).toEqual({ type: "old" });
    expect(moved).not.toHaveProperty("repositoryContext");
    const both = { ...old, controllers: { contexts: { config: { default: { repositoryContext: { type: "new" } } } } } };
    expect(
      parseLandscaperConfiguration(both, "config.yaml").controllers.contexts.config.default.repositoryContext,
    ).toEqual({ type: "new" });
  });

  it("takes every field of a file of the original, and lists those without effect (core.md §3.5)", () => {
    const file = {
      apiVersion,
      kind: "LandscaperConfiguration",
      controllers: {
        syncPeriod: "24000h",
        installations: { workers: 1, cacheSyncTimeout: "2m" },
        executions: { workers: 1 },
        deployItems: { workers: 1 },
        contexts: { workers: 1, config: { default: { disable: false, excludedNamespaces: ["a"] } } },
      },
      repositoryContext: { type: "ociRegistry", baseUrl: "example.com" },
      registry: {
        local: {},
        oci: { configFiles: ["/a"], cache: { path: "/c", useInMemoryOverlay: true }, insecureSkipVerify: false },
      },
      blueprintStore: { path: "/b", indexMethod: "Other", size: 1000, gcHighThreshold: 2 },
      metrics: {},
      crdManagement: { deployCrd: true, forceUpdate: true },
      deployItemTimeouts: { pickup: "5m", abort: "soon" },
      deployerManagement: {
        disable: false,
        namespace: "ls-system",
        leaseNamespace: "ls-system",
        agent: { name: 1, namespace: "ls-system" },
      },
      lsDeployments: { lsController: "a", additionalDeployments: { deployments: ["f"] } },
      hpaMain: { maxReplicas: 1 },
      signatureVerificationEnforcementPolicy: "DoNotEnforce",
    };
    expect(parseLandscaperConfiguration(file, "config.yaml").metrics).toEqual({ port: 0 });
    const { metrics: _filled, repositoryContext: _moved, ...kept } = file;
    expect(parseLandscaperConfiguration(file, "config.yaml")).toMatchObject(kept);
    const withoutEffect = parseLandscaperConfiguration.findIgnored(file);
    expect(withoutEffect.map(({ path, why }) => [path, why !== undefined])).toEqual([
      ["controllers.syncPeriod", true],
      ["controllers.installations.cacheSyncTimeout", true],
      ["registry.oci.cache.useInMemoryOverlay", true],
      ["blueprintStore.indexMethod", true],
      ["blueprintStore.gcHighThreshold", true],
      ["deployItemTimeouts.abort", true],
      ["deployerManagement.agent", true],
    ]);
  });

  it("takes no workers and no replicas for the default, as the original does", () => {
    const file = { controllers: { executions: { workers: 0 } }, hpaMain: { maxReplicas: 0 } };
    const { controllers, hpaMain } = parseLandscaperConfiguration(file, "config.yaml");
    expect([controllers.executions.workers, hpaMain.maxReplicas]).toEqual([30, 1]);
  });

  it.each([
    [{ kind: "Configuration" }, 'kind: expected "LandscaperConfiguration", found another text'],
    [{ apiVersion: "v1" }, `apiVersion: expected "${apiVersion}", found another text`],
    [
      { controllers: { executions: { workers: -1 } } },
      "controllers.executions.workers: expected a number >= 0, found a number",
    ],
    [{ metrics: { port: 99_999 } }, "metrics.port: expected a number <= 65535, found a number"],
    [
      { signatureVerificationEnforcementPolicy: "Maybe" },
      'signatureVerificationEnforcementPolicy: expected one of "Enforce", "DoNotEnforce", "Disabled", found another text',
    ],
  ])("refuses %j and names the field", (file, problem) => {
    expect(() => parseLandscaperConfiguration(file, "config.yaml")).toThrow(
      new Error(`config.yaml: not a valid LandscaperConfiguration: ${problem}`),
    );
  });
});
