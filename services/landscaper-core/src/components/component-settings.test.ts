import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, kubeResources, resources, type Context, type Installation } from "@landscaper/api";
import { startEmbeddedCluster, type EmbeddedCluster, type TestNamespace } from "@landscaper/testkit";
import { readComponentRights, readComponentSettings } from "./component-settings.ts";

const { signal } = new AbortController();
const registry = { type: "OCIRegistry", baseUrl: "registry.example" };
const other = { type: "OCIRegistry", baseUrl: "other.example" };
const folder = mkdtempSync(join(tmpdir(), "core-components-"));

let cluster: EmbeddedCluster;
let namespace: TestNamespace;
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  namespace = await cluster.createNamespace("ns");
  const resolvers = [{ repository: other, prefix: "example.com" }];
  const ocm = JSON.stringify({ type: "ocm.config.ocm.software", resolvers });
  await namespace.create(kubeResources.configMap, configMap("ocm", { ".ocmconfig": ocm }));
  await namespace.create(kubeResources.configMap, configMap("empty", {}));
  const overwrites = [{ source: {}, substitution: { version: "2.0.0" } }];
  await namespace.create(resources.componentVersionOverwrites, {
    apiVersion,
    kind: "ComponentVersionOverwrites",
    metadata: { name: "newer" },
    overwrites,
  });
  const auths = { "registry.example": { username: "me", password: "sentinel" } };
  await namespace.create(kubeResources.secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "pull" },
    data: { ".dockerconfigjson": Buffer.from(JSON.stringify({ auths })).toString("base64") },
  });
  const own = { auths: { "registry.example": { username: "service", password: "sentinel" } } };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ ...own, credsStore: "desktop" }));
});
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

function configMap(name: string, data: Record<string, string>) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

function contextOf(fields: Partial<Context>): Context {
  return { apiVersion, kind: "Context", metadata: { name: "mine", namespace: "ns" }, ...fields };
}

function installationOf(repositoryContext?: Record<string, unknown>): Installation {
  const ref = { componentName: "example.com/app", version: "1.0.0", ...(repositoryContext && { repositoryContext }) };
  const spec = { componentDescriptor: { ref }, blueprint: { ref: { resourceName: "blueprint" } } };
  return { apiVersion, kind: "Installation", metadata: { name: "root", namespace: "ns" }, spec };
}

const read = async (context: Partial<Context>, installation = installationOf()) =>
  await readComponentSettings(installation, contextOf(context), { client: cluster.client, signal });

describe("what a Context says of components", () => {
  it("is asked for by Installations that have one", async () => {
    const spec = { blueprint: { inline: { filesystem: {} } } };
    const context = { componentVersionOverwrites: "none" };
    expect(await read(context, { ...installationOf(), spec })).toBeUndefined();
  });

  it.each([
    { title: "the Installation's", context: { repositoryContext: other }, own: registry, expected: registry },
    { title: "that of the Context", context: { repositoryContext: other }, own: undefined, expected: other },
    {
      title: "none where the Context has an empty one",
      context: { repositoryContext: {} },
      own: undefined,
      expected: undefined,
    },
  ])("is the repository: $title", async ({ context, own, expected }) => {
    expect((await read(context, installationOf(own)))?.selection.context).toEqual(expected);
  });

  it("is overwrites and resolvers", async () => {
    const found = await read({ componentVersionOverwrites: "newer", ocmConfig: { name: "ocm" } });
    expect(found?.selection).toEqual({
      root: { name: "example.com/app", version: "1.0.0" },
      context: undefined,
      overwrites: [{ source: {}, substitution: { version: "2.0.0" } }],
      hasResolvers: true,
    });
    expect(found?.ocm.resolvers).toEqual([{ repository: other, prefix: "example.com", priority: 10 }]);
  });

  it.each([
    [
      { componentVersionOverwrites: "none" },
      'componentVersionOverwrites: ComponentVersionOverwrites "none" was not found',
    ],
    [{ ocmConfig: { name: "none" } }, 'ocmConfig: ConfigMap "none" was not found'],
    [{ ocmConfig: { name: "empty" } }, 'ocmConfig: ConfigMap "empty": expected the key .ocmconfig'],
  ])("§4.61: must be there: %j", async (context, problem) => {
    await expect(read(context)).rejects.toMatchObject({
      reason: "CalculateContext",
      retry: "never",
      message: `Context "mine": ${problem}`,
    });
  });
});

describe("the credentials of a job", () => {
  const rightsOf = async (context: Partial<Context>, configFiles: readonly string[] = []) => {
    const settings = await read(context);
    if (settings === undefined) throw new Error("expected settings");
    return await readComponentRights(settings, { client: cluster.client, signal, configFiles });
  };

  it("are those of pull secrets, then those of the service", async () => {
    const pull = { registryPullSecrets: [{ name: "pull" }, {}] };
    const { rights, warnings, serviceWarnings } = await rightsOf(pull, [join(folder, "config.json")]);
    expect(rights.credentials.map(({ host, credential, from }) => [host, credential.username, from])).toEqual([
      ["registry.example", "me", "Secret pull: .dockerconfigjson"],
      ["registry.example", "service", "configuration of landscaper-core"],
    ]);
    expect(serviceWarnings).toEqual([
      "configuration of landscaper-core: credsStore names a program, which is not run; it is passed over",
    ]);
    expect(warnings).toEqual(['Context "mine": registryPullSecrets[1]: has no name; it is passed over']);
  });

  const basic = `Basic ${Buffer.from("me:sentinel").toString("base64")}`;
  const repositories = (...auths: readonly object[]): Partial<Context> => ({
    configurations: { helmChartRepoCredentials: { auths } },
  });

  it("are those of Helm repositories, which are read when a chart is fetched", async () => {
    const secretRef = { name: "charts", key: "header" };
    const { rights, warnings } = await rightsOf(repositories({ url: "https://charts.example", secretRef, other: 1 }));
    expect(warnings).toEqual([
      'Context "mine": configurations.helmChartRepoCredentials: unknown field "auths[0].other"',
    ]);
    await expect(rights.readRepositories?.({ signal })).rejects.toMatchObject({
      message: 'Context "mine": configurations.helmChartRepoCredentials: Secret "charts" was not found',
      retry: "never",
    });
    await namespace.create(kubeResources.secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "charts" },
      data: { header: Buffer.from(basic).toString("base64") },
    });
    expect(await rights.readRepositories?.({ signal })).toMatchObject([{ authorization: basic }]);
    const { rights: without } = await rightsOf(
      repositories({ url: "https://charts.example", secretRef: { name: "charts" } }),
    );
    await expect(without.readRepositories?.({ signal })).rejects.toThrow('Secret "charts" has no key authHeader');
  });

  it("must be there", async () => {
    await expect(rightsOf({ registryPullSecrets: [{ name: "none" }] })).rejects.toThrow(
      'Context "mine": registryPullSecrets: Secret "none" was not found',
    );
    const failure: unknown = await rightsOf({}, [join(folder, "none.json")]).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      reason: "InvalidConfiguration",
      message: "registry.oci.configFiles of landscaper-core: a file cannot be read",
    });
  });
});
