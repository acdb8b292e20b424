import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import {
  artifactOf,
  blueprintResource,
  descriptorOf,
  startArtifactRegistry,
  type ArtifactRegistry,
  type TestComponent,
} from "@landscaper/components/testing";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { startEmbeddedCluster, startForwardProxy, type EmbeddedCluster } from "@landscaper/testkit";
import { listTree, newFolder, writeTree } from "../../test/index.ts";
import { containerPaths, environmentOf, maxChunkBytes, type ContainerPaths, type JobFile } from "../index.ts";
import { OpenFolder } from "../program-files/open-folder.ts";
import { cutChunks } from "../state/cut-chunks.ts";
import { packState } from "../state/pack-state.ts";
import { runInit } from "./run-init.ts";

const namespace = "pods";
let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
  await cluster.createNamespace(namespace);
});
afterAll(() => cluster.stop());

let root = "";
let paths: ContainerPaths = containerPaths();
const closings: (() => Promise<void>)[] = [];
beforeEach(() => {
  root = newFolder();
  paths = containerPaths(root);
  for (const folder of [paths.internal, paths.targets, paths.ocm, paths.shared]) mkdirSync(folder, { recursive: true });
});
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
  rmSync(root, { recursive: true, force: true });
});

const egress = {
  profile: "default",
  deny: [],
  allow: [],
  onlyAllowed: false,
  clusterCIDRs: [],
  tokenRealms: [],
} as const;
interface Job {
  readonly oci: JobFile["oci"];
  readonly egress: object;
  readonly restore: JobFile["state"]["restore"];
  readonly signal: AbortSignal;
}

/** Runs init with a provider configuration; its lines. */
async function init(configuration: object, given: Partial<Job> = {}): Promise<string[]> {
  const { oci, egress: rules, restore, signal = new AbortController().signal } = given;
  const job = {
    version: 1,
    pod: "setup-aaaaaaaa",
    suffix: "aaaaaaaa",
    operation: "RECONCILE",
    state: { index: { name: "index" }, chunks: [], ...(restore && { restore }) },
    exports: { name: "export" },
    limits: { stateBytes: 1024 ** 2, exportBytes: 1000 },
    labels: {},
    oci: oci ?? { allowPlainHttp: false, insecureSkipVerify: false },
    egress: { ...egress, ...rules },
  };
  writeFileSync(paths.job, JSON.stringify(job));
  const meta = { apiVersion: "container.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" };
  writeFileSync(paths.configuration, JSON.stringify({ ...meta, ...configuration }));
  const item = { namespace: "team", name: "setup" };
  const variables = environmentOf("init", { item, operation: "RECONCILE", paths });
  const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const lines: string[] = [];
  await runInit({
    env: { ...env, POD_NAME: "setup-aaaaaaaa", POD_NAMESPACE: namespace },
    log: (line) => void lines.push(line),
    signal,
    client: cluster.client,
    paths,
  });
  return lines;
}

const textOf = (file: string): string => readFileSync(file, "utf8");
const shared = (): string[] => listTree(paths.shared).map(({ path }) => path);

describe("init prepares", () => {
  it("folders, and a target of null, for an item that gives nothing", async () => {
    expect(await init({})).toEqual([]);
    expect(shared()).toEqual(["content", "exports", "state", "targets", "targets/target.json"]);
    expect(textOf(paths.target)).toBe("null");
  });

  it("imports and target as they stand in the Secrets", async () => {
    writeFileSync(paths.targetSource, '{"target":{"kind":"Target"},"content":"{}"}');
    await init({ importValues: { a: [1, "ä"] } });
    expect(textOf(paths.imports)).toBe('{"a":[1,"ä"]}');
    expect(textOf(paths.target)).toBe('{"target":{"kind":"Target"},"content":"{}"}');
  });

  it("files again when it is run again, whatever lies there", async () => {
    await init({ importValues: 1, blueprint: { inline: { filesystem: { old: "x" } } } });
    rmSync(paths.imports);
    const outside = join(root, "outside");
    writeFileSync(outside, "stays");
    symlinkSync(outside, paths.imports);
    await init({ importValues: 2, blueprint: { inline: { filesystem: { "new.txt": "x" } } } });
    expect(textOf(paths.imports)).toBe("2");
    expect(textOf(outside)).toBe("stays");
    expect(listTree(paths.content).map(({ path }) => path)).toEqual(["new.txt"]);
  });

  it.each([
    ["a map", { "blueprint.yaml": "kind: Blueprint", data: { "a.txt": "1", deeper: { b: "2" } } }],
    ["YAML", 'blueprint.yaml: "kind: Blueprint"\ndata:\n  a.txt: "1"\n  deeper: {b: "2"}\n'],
  ])("the files of an inline blueprint that is given as %s", async (_form, filesystem) => {
    await init({ blueprint: { inline: { filesystem } } });
    expect(listTree(paths.content).flatMap(({ path, content }) => (content === undefined ? [] : [path]))).toEqual([
      "blueprint.yaml",
      "data/a.txt",
      "data/deeper/b",
    ]);
    expect(textOf(join(paths.content, "blueprint.yaml"))).toBe("kind: Blueprint");
    expect(textOf(join(paths.content, "data/deeper/b"))).toBe("2");
  });
});

const base: TestComponent = { name: "example.com/base", version: "1.0.0" };

/** An app with a blueprint, which refers to another component. */
async function appComponent(): Promise<TestComponent> {
  return {
    name: "example.com/app",
    version: "1.1.0",
    resources: {
      blueprint: await blueprintResource({ "blueprint.yaml": "kind: Blueprint", "files/a.txt": "1" }),
      note: { content: "text" },
    },
    references: [{ name: "base", componentName: base.name, version: base.version }],
  };
}

async function startRegistry(tls?: Parameters<typeof startArtifactRegistry>[1]): Promise<ArtifactRegistry> {
  const registry = await startArtifactRegistry([await artifactOf(await appComponent()), await artifactOf(base)], tls);
  closings.push(async () => registry.stop());
  return registry;
}

const refTo = (repositoryContext: object | undefined) => ({
  ref: { componentName: "example.com/app", version: "1.1.0", ...(repositoryContext && { repositoryContext }) },
});
const blueprint = { ref: { resourceName: "blueprint" } };

interface DescriptorList {
  readonly meta: object;
  readonly components: readonly { readonly meta: object; readonly component: { readonly name: string } }[];
}

/** Names in the descriptor list. */
function listedComponents(): string[] {
  const list = JSON.parse(textOf(paths.componentDescriptor)) as DescriptorList;
  expect(list.meta).toEqual({ schemaVersion: "v2" });
  expect(list.components.every(({ meta }) => "schemaVersion" in meta)).toBe(true);
  return list.components.map(({ component }) => component.name);
}

describe("from a registry, init writes", () => {
  it("the component with all that it refers to, and the files of its blueprint", async () => {
    const { context } = await startRegistry();
    expect(await init({ componentDescriptor: refTo(context), blueprint })).toEqual([
      "2 component descriptors have been written",
    ]);
    expect(listedComponents()).toEqual(["example.com/app", "example.com/base"]);
    expect(listTree(paths.content).map(({ path }) => path)).toEqual(["blueprint.yaml", "files", "files/a.txt"]);
  });

  it("what an inline descriptor refers to", async () => {
    const { context } = await startRegistry();
    const descriptor = structuredClone(descriptorOf(await appComponent())) as { component: Record<string, unknown> };
    descriptor.component["repositoryContexts"] = [context];
    await init({ componentDescriptor: { inline: descriptor } });
    expect(listedComponents()).toEqual(["example.com/app", "example.com/base"]);
  });

  it("an inline descriptor alone when no repository is named", async () => {
    await init({ componentDescriptor: { inline: descriptorOf(await appComponent()) } });
    expect(listedComponents()).toEqual(["example.com/app"]);
  });

  it("what a resolver of the OCM configuration leads to", async () => {
    const { context } = await startRegistry();
    const resolvers = [{ repository: context, prefix: "example.com" }];
    writeFileSync(paths.ocmConfiguration, JSON.stringify({ type: "ocm.config.ocm.software", resolvers }));
    await init({ componentDescriptor: refTo(undefined) });
    expect(listedComponents()).toEqual(["example.com/app", "example.com/base"]);
  });

  it.each([
    ["the pull secret for blueprints", () => paths.blueprintPullSecret],
    ["the pull secret for descriptors", () => paths.componentPullSecret],
  ])("with the credentials of %s", async (_title, folderOf) => {
    const registry = await startRegistry();
    const password = "sentinel-of-the-password";
    const expected = `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
    registry.setInterference(({ authorization }, response) => {
      if (authorization === expected) return false;
      response.writeHead(401, { "www-authenticate": 'Basic realm="test"' }).end();
      return true;
    });
    const refused = init({ componentDescriptor: refTo(registry.context) });
    await expect(refused).rejects.toMatchObject({ reason: "RegistryUnauthorized" });
    mkdirSync(folderOf(), { recursive: true });
    const auths = { [registry.host]: { username: "me", password } };
    writeFileSync(join(folderOf(), ".dockerconfigjson"), JSON.stringify({ auths }));
    // As the kubelet mounts Secrets.
    mkdirSync(join(folderOf(), "..data"));
    await init({ componentDescriptor: refTo(registry.context) });
    expect(listedComponents()).toHaveLength(2);
  });
});

describe("settings of the deployer apply to init:", () => {
  it("plain http only where it is allowed", async () => {
    const { host } = await startRegistry();
    const componentDescriptor = refTo({ type: "OCIRegistry", baseUrl: `${host}/team` });
    const oci = { allowPlainHttp: true, insecureSkipVerify: false };
    await expect(init({ componentDescriptor })).rejects.toMatchObject({ reason: "RegistryUnreachable" });
    await init({ componentDescriptor }, { oci });
    expect(listedComponents()).toHaveLength(2);
  });

  it("certificates are not checked only where that is allowed", async () => {
    const authority = createCertificateAuthority("registry authority", Date.now);
    const registry = await startRegistry(authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] }));
    const oci = { allowPlainHttp: false, insecureSkipVerify: true };
    const componentDescriptor = refTo(registry.context);
    await expect(init({ componentDescriptor })).rejects.toMatchObject({ reason: "RegistryUnreachable" });
    await init({ componentDescriptor }, { oci });
    expect(listedComponents()).toHaveLength(2);
  });

  it("registries of a private authority are trusted with its certificate, and no others", async () => {
    const authority = createCertificateAuthority("registry authority", Date.now);
    const registry = await startRegistry(authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] }));
    const componentDescriptor = refTo(registry.context);
    const write = (host: string): void =>
      writeFileSync(paths.certificates, JSON.stringify({ [host]: { ca: authority.cert } }));
    write("127.0.0.1:1");
    await expect(init({ componentDescriptor })).rejects.toMatchObject({ reason: "RegistryUnreachable" });
    write(registry.host);
    await init({ componentDescriptor });
    expect(listedComponents()).toHaveLength(2);
    writeFileSync(paths.certificates, '{"sentinel": {"client": "sentinel"}}');
    await expect(init({ componentDescriptor })).rejects.toThrow(
      /^(?!.*: "sentinel").*certificates\.json.*client: expected/,
    );
  });

  it("registries are reached by the deployer's proxy", async () => {
    const { context, host, requests } = await startRegistry();
    const proxy = await startForwardProxy({ routes: { "registry.invalid:80": host } });
    try {
      writeFileSync(paths.proxies, JSON.stringify({ HTTP_PROXY: proxy.url }));
      await init({
        componentDescriptor: refTo({ ...context, baseUrl: context.baseUrl.replace(host, "registry.invalid") }),
      });
      expect(listedComponents()).toHaveLength(2);
      expect(proxy.requests).toHaveLength(requests.length);
    } finally {
      await proxy.stop();
    }
  });

  it("hosts that are denied are not reached", async () => {
    const { context, requests } = await startRegistry();
    const refused = init({ componentDescriptor: refTo(context) }, { egress: { deny: ["127.0.0.1"] } });
    await expect(refused).rejects.toMatchObject({ reason: "EgressDenied" });
    expect(requests).toEqual([]);
  });
});

describe("init fails, and says why, for", () => {
  it("a configuration that is not valid, whose values it does not quote", async () => {
    const failing = init({ importValues: "sentinel", image: 7 });
    await expect(failing).rejects.toThrow(
      /^configuration\.json: not a valid ProviderConfiguration: image: expected a string, found a number$/,
    );
  });

  it("a blueprint of no component", async () => {
    await expect(init({ blueprint })).rejects.toMatchObject({
      reason: "InvalidConfiguration",
      message:
        "configuration.json: blueprint.ref: componentDescriptor is missing, of which the blueprint would be a resource",
    });
  });

  it("a resource that is not a blueprint of the component", async () => {
    const { context } = await startRegistry();
    const failing = init({ componentDescriptor: refTo(context), blueprint: { ref: { resourceName: "note" } } });
    await expect(failing).rejects.toMatchObject({
      reason: "ResolveBlueprint",
      message: 'blueprint.ref: component example.com/app:1.1.0 has no blueprint "note", it has "blueprint"',
    });
  });

  it("a component that no repository has", async () => {
    const { context } = await startRegistry();
    const componentDescriptor = {
      ref: { componentName: "example.com/other", version: "1.0.0", repositoryContext: context },
    };
    await expect(init({ componentDescriptor })).rejects.toMatchObject({ reason: "ComponentNotFound" });
    expect(existsSync(paths.componentDescriptor)).toBe(false);
  });

  it("an inline blueprint whose names lead out of the folder", async () => {
    const filesystem = { "..": { escaped: "x" } };
    await expect(init({ blueprint: { inline: { filesystem } } })).rejects.toMatchObject({ reason: "InvalidInput" });
    expect(existsSync(join(paths.shared, "escaped"))).toBe(false);
  });

  it("a pull secret that cannot be read, whose text it does not quote", async () => {
    mkdirSync(paths.componentPullSecret, { recursive: true });
    writeFileSync(join(paths.componentPullSecret, ".dockerconfigjson"), '{"auths": sentinel');
    await expect(init({})).rejects.toThrow(/^(?!.*sentinel).*cd-pull-secret.*$/);
  });

  it("a Pod that is stopped meanwhile", async () => {
    const registry = await startRegistry();
    const stop = new AbortController();
    registry.setInterference(() => {
      stop.abort();
      return true;
    });
    const running = init({ componentDescriptor: refTo(registry.context) }, { signal: stop.signal });
    await expect(running).rejects.toMatchObject({ reason: "JobInterrupted" });
  });
});

describe("the state of the run before", () => {
  /** Keeps a state in Secrets, in parts of this size. */
  async function keep(name: string, files: Readonly<Record<string, string>>, partBytes = maxChunkBytes) {
    const folder = join(root, `kept-${name}`);
    writeTree(
      folder,
      Object.entries(files).map(([path, content]) => ({ path, content })),
    );
    const opened = await OpenFolder.openRoot(folder);
    const { content, summary } = packState(opened, { bytes: 1024 ** 2, entries: 100 });
    const chunks: { name: string; sha256: string; bytes: number }[] = [];
    for await (const chunk of cutChunks(content, partBytes)) {
      const metadata = { name: `state-${name}-${chunks.length}`, namespace };
      const data = { config: chunk.content.toString("base64") };
      await cluster.client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
      chunks.push({ name: metadata.name, sha256: chunk.sha256, bytes: chunk.content.length });
    }
    await opened.close();
    const { sha256, bytes } = summary();
    return { chunks, sha256, bytes };
  }

  it("is restored from its parts", async () => {
    const restore = await keep("a", { "deep/file": "1" }, 50);
    expect(restore.chunks.length).toBeGreaterThan(2);
    expect(await init({}, { restore })).toEqual([
      `the state of the run before has been restored from ${restore.chunks.length} Secrets`,
    ]);
    expect(textOf(join(paths.state, "deep/file"))).toBe("1");
  });

  it("is restored from parts without checksums, as the original wrote them", async () => {
    const { chunks } = await keep("b", { file: "1" });
    await init({}, { restore: { chunks: chunks.map(({ name }) => ({ name })) } });
    expect(textOf(join(paths.state, "file"))).toBe("1");
  });

  it("is restored again when init is run again", async () => {
    const restore = await keep("c", { file: "1" });
    await init({}, { restore });
    writeFileSync(join(paths.state, "more"), "2");
    await init({}, { restore });
    expect(listTree(paths.state).map(({ path }) => path)).toEqual(["file"]);
  });

  it("is not restored, nor the program started, when a part is missing", async () => {
    const restore = await keep("d", { file: "1" });
    const chunks = [...restore.chunks, { name: "state-d-1", sha256: restore.sha256, bytes: 1 }];
    await expect(init({}, { restore: { ...restore, chunks } })).rejects.toMatchObject({
      reason: "StateDamaged",
      message: "state of the run before: part 2 of 2, Secret state-d-1: it is not there",
    });
    expect(listTree(dirname(paths.state)).map(({ path }) => path)).not.toContain("state/file");
  });

  it("is not restored when a part is another one than was written", async () => {
    const restore = await keep("e", { file: "1" });
    const data = { config: Buffer.from("x".repeat(restore.chunks[0]?.bytes ?? 0)).toString("base64") };
    const key = { namespace, name: "state-e-0" };
    await cluster.client.patch(kubeResources.secret, key, { type: "merge", body: { data } });
    await expect(init({}, { restore })).rejects.toMatchObject({
      reason: "StateDamaged",
      message:
        "state of the run before: part 1 of 1, Secret state-e-0: its sha256 is another one than when it was written",
    });
  });
});
