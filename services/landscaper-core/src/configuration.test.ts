import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import type { DeployerRegistration } from "@landscaper/api";
import { loadConfiguration, toCoreSettings, toHealthCheck } from "./configuration.ts";

const folder = mkdtempSync(join(tmpdir(), "core-configuration-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, "config.yaml");
  writeFileSync(path, text);
  return path;
}

describe("the configuration (core.md §3.5)", () => {
  it("has defaults for everything", async () => {
    expect(toCoreSettings((await loadConfiguration(undefined)).configuration, undefined)).toEqual({
      timeouts: { pickupMs: 300_000, progressingMs: 600_000, graceMs: 60_000 },
      defaultContext: { isEnabled: true, excludedNamespaces: [], repositoryContext: undefined },
      workers: { installations: 30, executions: 30, deployItems: 30, contexts: 30 },
      parts: ["main", "central"],
      fieldValidation: "Warn",
      emptyProtection: "on",
      deletionProtection: "on",
      deployerManagement: { namespace: "ls-system", leaseNamespace: "ls-system", registrations: [] },
      signaturePolicy: "DoNotEnforce",
    });
  });

  it("is read from a file, in either spelling (core.md §1.5 D20)", async () => {
    const repositoryContext = { type: "ociRegistry", baseUrl: "example.com" };
    const both = [
      "contexts: { workers: 2, config: { default: { excludedNamespaces: [a], repositoryContext: {type: ociRegistry, baseUrl: example.com} } } }",
      "context: { workers: 2, config: { default: { excludeNamespaces: [a], repositoryContext: {type: ociRegistry, baseUrl: example.com} } } }",
    ];
    for (const contexts of both) {
      const path = file(`
apiVersion: config.landscaper.gardener.cloud/v1alpha1
kind: LandscaperConfiguration
controllers:
  installations: { workers: 5 }
  ${contexts}
deployItemTimeouts: { pickup: 30s, progressing: none, grace: 5s }
fieldValidation: Strict
signatureVerificationEnforcementPolicy: Disabled
`);
      expect(toCoreSettings((await loadConfiguration(path)).configuration, "")).toEqual({
        timeouts: { pickupMs: 30_000, progressingMs: 0, graceMs: 5_000 },
        defaultContext: { isEnabled: true, excludedNamespaces: ["a"], repositoryContext },
        workers: { installations: 5, executions: 30, deployItems: 30, contexts: 2 },
        parts: ["main", "central"],
        fieldValidation: "Strict",
        emptyProtection: "on",
        deletionProtection: "on",
        deployerManagement: { namespace: "ls-system", leaseNamespace: "ls-system", registrations: [] },
        signaturePolicy: "Disabled",
      });
    }
  });

  it.each([
    ["central-landscaper", ["central"]],
    ["main", ["main"]],
  ])("splits the core by LANDSCAPER_MODE=%s", async (mode, parts) => {
    expect(toCoreSettings((await loadConfiguration(undefined)).configuration, mode).parts).toEqual(parts);
  });

  it("says which Deployments the health check looks at", async () => {
    expect(toHealthCheck((await loadConfiguration(undefined)).configuration)).toBeUndefined();
    const path = file(`
lsDeployments:
  lsController: central
  lsMainController: main
  deploymentsNamespace: ls-system
  lsHealthCheckName: health
  additionalDeployments: { deployments: [helm] }
`);
    expect(toHealthCheck((await loadConfiguration(path)).configuration)).toEqual({
      namespace: "ls-system",
      name: "health",
      deployments: ["central", "main", "helm"],
    });
  });

  it("tells of fields that nobody knows, and of those without effect", async () => {
    const path = file(`
controllers: { syncPeriod: 1h, instalations: {}, context: { config: { default: { excludeNamespaces: [a] } } } }
blueprintStore: { gcLowThreshold: 0.5 }
`);
    expect((await loadConfiguration(path)).warnings).toEqual([
      {
        reason: "WithoutEffect",
        message: `${path}: field "controllers.syncPeriod" has no effect: caches are filled once and kept by watches`,
      },
      {
        reason: "UnknownField",
        message: `${path}: unknown field "controllers.instalations", did you mean "installations"?`,
      },
      {
        reason: "WithoutEffect",
        message: `${path}: field "blueprintStore.gcLowThreshold" has no effect: archives are kept by their digest, and those that were used last stay`,
      },
    ]);
  });

  it.each([
    [
      "deployerManagement: { agent: { name: edge } }",
      'field "deployerManagement.agent" has no effect: the agent is a process of its own: enabled.landscaperAgent of the chart landscaper-stack starts it, and its settings are landscaper-agent.agent',
    ],
    [
      "deployerManagement: { deployerRepositoryContext: { type: OCIRegistry } }",
      'field "deployerManagement.deployerRepositoryContext" has no effect: deployerManagement.deployers names no deployer',
    ],
    [
      "deployerManagement: { disable: true, deployers: { helm: {} } }",
      'field "deployerManagement.deployers" has no effect: deployerManagement is disabled',
    ],
    [
      "lsDeployments: { lsController: central, lsHealthCheckName: health }",
      'field "lsDeployments" has no effect: it needs deploymentsNamespace and lsHealthCheckName',
    ],
    [
      "registry: { oci: { cache: { useInMemoryOverlay: true } } }",
      'field "registry.oci.cache.useInMemoryOverlay" has no effect: there is one cache, with a limit of its own',
    ],
  ])("says why %s has no effect", async (text, message) => {
    const path = file(`${text}\n`);
    expect((await loadConfiguration(path)).warnings).toEqual([
      { reason: "WithoutEffect", message: `${path}: ${message}` },
    ]);
  });

  it("registers deployers of the file and of the command line", async () => {
    const path = file("deployerManagement: { deployers: { helm: { replicaCount: 2 } } }\n");
    const { configuration } = await loadConfiguration(path, ["helm", "mock"]);
    const { registrations = [] } = toCoreSettings(configuration, "").deployerManagement ?? {};
    const valuesOf = ({ spec }: DeployerRegistration) => spec.installationTemplate.importDataMappings?.["values"];
    expect(registrations.map((one) => [one.metadata.name, valuesOf(one)])).toEqual([
      ["helm", { replicaCount: 2 }],
      ["mock", undefined],
    ]);
  });

  it("says which signatures are verified, and with keys of which namespaces", async () => {
    const path = file(
      "{ signatureVerificationEnforcementPolicy: Enforce, signatureVerification: { secretNamespaces: [keys] } }\n",
    );
    expect(toCoreSettings((await loadConfiguration(path)).configuration, "")).toMatchObject({
      signaturePolicy: "Enforce",
      signatureSecretNamespaces: ["keys"],
    });
  });

  it("names the file and the field of a mistake", async () => {
    const path = file("controllers: { installations: { workers: many } }\n");
    await expect(loadConfiguration(path)).rejects.toThrow(
      `${path}: not a valid LandscaperConfiguration: controllers.installations.workers: expected an integer, found a string`,
    );
    await expect(loadConfiguration(join(folder, "absent"))).rejects.toThrow(
      `${join(folder, "absent")}: the configuration file cannot be read (ENOENT)`,
    );
    await expect(loadConfiguration(file("a: [\n"))).rejects.toThrow(/config\.yaml: expected YAML: /);
  });
});
