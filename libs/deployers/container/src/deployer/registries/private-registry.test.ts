// A registry with an authority of its own that asks for a password: what the deployer's configuration has for it reaches init. The Pod is played, init is run.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type Pod } from "@landscaper/api";
import { artifactOf, startArtifactRegistry, type ArtifactRegistry } from "@landscaper/components/testing";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { startForwardProxy, type ForwardProxy } from "@landscaper/testkit";
import { newFolder } from "../../../test/folder-tree.ts";
import { specOf, useContainerBench } from "../../../test/container-bench.ts";
import { containerPaths, environmentOf } from "../../index.ts";
import { runInit } from "../../init/run-init.ts";

const bench = useContainerBench("private-registry");
const authority = createCertificateAuthority("registry authority", Date.now);
const password = "sentinel-of-the-password";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

let registry: ArtifactRegistry;
let folder = "";
beforeEach(async () => {
  folder = newFolder();
  const component = await artifactOf({ name: "example.com/app", version: "1.0.0", resources: {} });
  const server = authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] });
  registry = await startArtifactRegistry([component], server);
  registry.setInterference(({ authorization }, response) => {
    if (authorization === `Basic ${base64(`me:${password}`)}`) return false;
    response.writeHead(401, { "www-authenticate": 'Basic realm="test"' }).end();
    return true;
  });
});
afterEach(async () => {
  await registry.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As the kubelet mounts Secrets into init. */
async function mountSecrets(pod: Pod, root: string): Promise<void> {
  const { volumes, initContainers } = pod.spec as unknown as {
    readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
    readonly initContainers: readonly {
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
    }[];
  };
  for (const { name, mountPath } of initContainers[0]?.volumeMounts ?? []) {
    const at = mountPath.replace("/data/ls", root);
    if (!mountPath.startsWith("/data/ls/")) continue;
    mkdirSync(at, { recursive: true });
    const secretName = volumes.find((volume) => volume.name === name)?.secret?.secretName;
    if (secretName === undefined) continue;
    const secret = await bench.host.get(kubeResources.secret, { namespace: bench.namespace, name: secretName });
    for (const [key, value] of Object.entries(secret.data ?? {}))
      writeFileSync(join(at, key), Buffer.from(value, "base64"));
  }
}

interface RegistryAccess {
  readonly context: ArtifactRegistry["context"];
  /** Of the process of the deployer. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs an item with a component of the registry, and init in its Pod. Returns the text that init has written. */
async function fetchDescriptors(
  oci: object,
  { context = registry.context, environment = {} }: Partial<RegistryAccess> = {},
): Promise<string> {
  bench.start({ oci }, { environment });
  const ref = { componentName: "example.com/app", version: "1.0.0", repositoryContext: context };
  await bench.scope.create({ name: "item", spec: specOf({ componentDescriptor: { ref } }) });
  const pod = await bench.untilPod();
  expect(JSON.stringify(pod)).not.toContain(password);
  const root = join(folder, "data");
  const paths = containerPaths(root);
  await mountSecrets(pod, root);
  const item = { namespace: bench.namespace, name: "item" };
  const variables = environmentOf("init", { item, operation: "RECONCILE", paths });
  const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  await runInit({
    env: { ...env, POD_NAME: pod.metadata.name, POD_NAMESPACE: bench.namespace },
    log: () => {},
    signal: new AbortController().signal,
    client: bench.host,
    paths,
  });
  return readFileSync(paths.componentDescriptor, "utf8");
}

describe("a registry with an authority of its own", () => {
  const settings = () => {
    const certificatesPath = join(folder, "certs.d");
    const configFile = join(folder, "config.json");
    const certificate = join(certificatesPath, registry.host, "ca.crt");
    mkdirSync(dirname(certificate), { recursive: true });
    writeFileSync(certificate, authority.cert);
    writeFileSync(configFile, JSON.stringify({ auths: { [registry.host]: { auth: base64(`me:${password}`) } } }));
    return { certificatesPath, configFiles: [configFile] };
  };

  it("is read by init with certificatesPath and configFiles of the deployer's configuration", async () => {
    expect(await fetchDescriptors(settings())).toContain('"name":"example.com/app"');
  });

  it("is not trusted without its certificate", async () => {
    const { configFiles } = settings();
    await expect(fetchDescriptors({ configFiles })).rejects.toMatchObject({ reason: "RegistryUnreachable" });
  });

  it("does not let init in without the credential", async () => {
    const { certificatesPath } = settings();
    await expect(fetchDescriptors({ certificatesPath })).rejects.toMatchObject({ reason: "RegistryUnauthorized" });
  });
});

describe("a registry that only the deployer's proxy reaches", () => {
  let proxy: ForwardProxy;
  let context: ArtifactRegistry["context"];
  beforeEach(async () => {
    await registry.stop();
    const component = await artifactOf({ name: "example.com/app", version: "1.0.0", resources: {} });
    registry = await startArtifactRegistry([component]);
    proxy = await startForwardProxy({ routes: { "registry.invalid:80": registry.host }, login: `me:${password}` });
    context = { ...registry.context, baseUrl: registry.context.baseUrl.replace(registry.host, "registry.invalid") };
  });
  afterEach(async () => {
    await proxy.stop();
  });

  it("is read by init, with the login of the proxy, which is not in the Pod", async () => {
    const environment = { http_proxy: proxy.url.replace("//", `//me:${password}@`) };
    expect(await fetchDescriptors({}, { context, environment })).toContain('"name":"example.com/app"');
    expect(proxy.requests.length).toBeGreaterThan(0);
  });

  it("is not read by init without the proxy", async () => {
    await expect(fetchDescriptors({}, { context })).rejects.toMatchObject({ reason: "RegistryUnreachable" });
    expect(proxy.requests).toEqual([]);
  });
});
