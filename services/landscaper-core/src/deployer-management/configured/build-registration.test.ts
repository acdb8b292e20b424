import { describe, expect, it } from "@jest/globals";
import { apiVersion, productVersion } from "@landscaper/api";
import { buildRegistrations } from "./build-registration.ts";

const build = (name: string, entry: Record<string, unknown>, repositoryContext?: Record<string, unknown>) =>
  buildRegistrations({ deployers: { [name]: entry }, repositoryContext })[0];

const blueprint = { ref: { resourceName: "blueprint" } };
const kind = "DeployerRegistration";

describe("deployers of the configuration", () => {
  it("are our components of this version", () => {
    expect(build("manifest", {})).toEqual({
      apiVersion,
      kind,
      metadata: { name: "manifest", labels: { "app.kubernetes.io/managed-by": "landscaper-core" } },
      spec: {
        types: ["landscaper.gardener.cloud/kubernetes-manifest"],
        installationTemplate: {
          componentDescriptor: {
            ref: { componentName: "landscaper.gardener.cloud/manifest-deployer", version: productVersion },
          },
          blueprint,
        },
      },
    });
  });

  it("take values of their charts, never as expressions, and a repository", () => {
    const repositoryContext = { type: "OCIRegistry", baseUrl: "registry.example" };
    const spec = build("helm", { replicaCount: 2, note: "(( x ))" }, repositoryContext)?.spec;
    expect(spec?.installationTemplate).toEqual({
      componentDescriptor: {
        ref: { repositoryContext, componentName: "landscaper.gardener.cloud/helm-deployer", version: productVersion },
      },
      blueprint,
      importDataMappings: { values: { replicaCount: 2, note: "((! x ))" } },
    });
  });

  it("can be whole registrations", () => {
    const spec = { types: ["example.org/x"], installationTemplate: { blueprint } };
    expect(build("mine", { apiVersion, kind, spec })?.spec).toEqual(spec);
    expect(build("mine", { apiVersion, kind, metadata: { name: "mine" }, spec })?.metadata.name).toBe("mine");
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      "an unknown name",
      { replicaCount: 2 },
      "deployerManagement.deployers.mine: expected one of manifest, helm, container, mock, or a DeployerRegistration with its kind",
    ],
    [
      "another kind",
      { apiVersion, kind: "Target" },
      'deployerManagement.deployers.mine: kind: expected DeployerRegistration, found "Target"',
    ],
    [
      "another version",
      { apiVersion: "v1", kind },
      `deployerManagement.deployers.mine: apiVersion: expected ${apiVersion}, found "v1"`,
    ],
    [
      "another name",
      { apiVersion, kind, metadata: { name: "other" } },
      'deployerManagement.deployers.mine: metadata.name: expected mine, found "other"',
    ],
  ])("refuse %s", (_, entry, message) => {
    expect(() => build("mine", entry)).toThrow(message);
  });
});
