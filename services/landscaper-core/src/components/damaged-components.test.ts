// Content that is not what it should be: what the Installation says of it (docs/reference/components.md#failures).
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, resources, type Installation } from "@landscaper/api";
import { createComponentSource } from "@landscaper/components";
import {
  artifactOf,
  descriptorOf,
  digest,
  gzip,
  startArtifactRegistry,
  tarOf,
  type ArtifactRegistry,
  type Interference,
  type TestComponent,
  type TestEntry,
  type TestResource,
} from "@landscaper/components/testing";
import { createEgressPolicy } from "@landscaper/egress";
import { createRegistryClient } from "@landscaper/oci";
import { trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const egress = createEgressPolicy({ deny: ["127.0.0.2"] });
const registries = createRegistryClient({ userAgent: "test", retries: 0, egress });
const setUp = setUpCore({ components: { source: createComponentSource({ registries }) } });
let registry: ArtifactRegistry;
beforeAll(async () => {
  registry = await startArtifactRegistry([]);
});
afterEach(() => registry.setInterference(undefined));
afterAll(async () => {
  await registry?.stop();
  await registries.close();
});

const archived = async (entry: TestEntry): Promise<Buffer> => gzip(await tarOf(entry));
const plain = "kind: Blueprint\n";
const good = async (): Promise<Buffer> =>
  await archived({ name: "blueprint.yaml", content: `apiVersion: ${apiVersion}\n${plain}` });

async function appWith(content: Uint8Array | string): Promise<TestComponent> {
  const mediaType = "application/vnd.gardener.landscaper.blueprint.v1+tar+gzip";
  const blueprint: TestResource = { content, type: "landscaper.gardener.cloud/blueprint", mediaType };
  return { name: "example.com/app", version: "1.0.0", resources: { blueprint } };
}

let namespaces = 0;

/** The error of an Installation of the component, with these words for what differs from run to run. */
async function failureOf(component: TestComponent, descriptor?: object): Promise<unknown> {
  const artifact = await artifactOf(component, descriptor === undefined ? {} : { descriptor });
  registry.setArtifacts([artifact]);
  const namespace = await setUp.namespace(`damaged-${++namespaces}`);
  const ref = { componentName: "example.com/app", version: "1.0.0", repositoryContext: registry.context };
  const root: Installation = {
    apiVersion,
    kind: "Installation",
    metadata: { name: "root", annotations: trigger },
    spec: { componentDescriptor: { ref }, blueprint: { ref: { resourceName: "blueprint" } } },
  };
  await namespace.create(resources.installation, root);
  const { status } = await namespace.untilPhase("root", "Failed");
  const { reason, message = "" } = status?.lastError ?? {};
  const content = component.resources?.["blueprint"];
  const own = typeof content === "object" ? digest(content.content) : "";
  return [
    reason,
    message.replaceAll(registry.origin, "ORIGIN").replaceAll(registry.host, "HOST").replaceAll(own, "DIGEST"),
  ];
}

const isBlueprint =
  (component: TestComponent, answer: (response: Parameters<Interference>[1]) => void): Interference =>
  ({ url }, response) => {
    const content = component.resources?.["blueprint"];
    if (typeof content !== "object" || !url.endsWith(digest(content.content))) return false;
    answer(response);
    return true;
  };

const resource = 'component example.com/app:1.0.0: resource "blueprint"';
const place = "component-descriptors/example.com/app";

describe("a blueprint of a registry", () => {
  it.each<readonly [string, (response: Parameters<Interference>[1]) => void, string, string]>([
    [
      "with other bytes",
      (response) => void response.end("x".repeat(2)),
      "DigestMismatch",
      `${resource}: HOST/team/${place}@DIGEST: expected`,
    ],
    [
      "that is not there",
      (response) => void response.writeHead(404).end(),
      "RegistryNotFound",
      `${resource}: ORIGIN/v2/team/${place}/blobs/DIGEST: not found (404)`,
    ],
    [
      "that needs credentials",
      (response) => void response.writeHead(401).end(),
      "RegistryUnauthorized",
      `${resource}: ORIGIN/v2/team/${place}/blobs/DIGEST: credentials are needed (401); add a pull secret for this registry to the Context`,
    ],
    [
      "that is forbidden",
      (response) => void response.writeHead(403).end(),
      "RegistryForbidden",
      `${resource}: ORIGIN/v2/team/${place}/blobs/DIGEST: forbidden (403)`,
    ],
    [
      "that lies on a host that may not be asked",
      (response) => void response.writeHead(307, { location: "http://127.0.0.2/blob" }).end(),
      "EgressDenied",
      `${resource}: redirect 1 of ORIGIN: http://127.0.0.2/blob: host 127.0.0.2, port 80: denied`,
    ],
  ])("%s ends the job with component, resource and host", async (...[, answer, reason, message]) => {
    const component = await appWith(await good());
    registry.setInterference(isBlueprint(component, answer));
    expect(await failureOf(component)).toEqual([reason, expect.stringContaining(message)]);
  });

  it.each<readonly [string, () => Promise<Uint8Array | string>, string]>([
    ["that is not an archive", async () => "no archive", "not a tar archive, or damaged: it ends too early"],
    [
      "that leads out of itself",
      async () => await archived({ name: "../blueprint.yaml", content: plain }),
      'expected a path below the archive, found "../blueprint.yaml"',
    ],
    [
      "with a link",
      async () => await archived({ name: "blueprint.yaml", type: "symlink", linkname: "/etc/passwd" }),
      '"blueprint.yaml": expected a file or a folder, found a symlink',
    ],
    [
      "that is small and becomes large",
      async () => await archived({ name: "blueprint.yaml", content: Buffer.alloc(40_000_000) }),
      '"blueprint.yaml" has 40000000 bytes, more than the allowed 5242880',
    ],
    ["that is cut off", async () => (await good()).subarray(0, 60), "not a tar archive, or damaged: it ends too early"],
  ])("%s ends the job with component, resource and host", async (...[, content, problem]) => {
    expect(await failureOf(await appWith(await content()))).toEqual([
      "ResolveBlueprint",
      `blueprint: resource "blueprint" of component example.com/app:1.0.0 in HOST/team/${place}: ${problem}; publish the component version again with an archive of the blueprint's folder`,
    ]);
  });
});

interface Document {
  readonly component: Readonly<Record<string, unknown>>;
}

const own = `component example.com/app:1.0.0 in HOST/team/${place}`;
const componentReferences = [{ name: "leaf", componentName: "example.com/leaf", version: "1.0.0" }];

describe("a descriptor of a registry", () => {
  it.each<readonly [string, (descriptor: Document) => object, string, string]>([
    [
      "of another version",
      (descriptor) => ({ ...descriptor, component: { ...descriptor.component, version: "2.0.0" } }),
      "GetComponentVersion",
      `${own}: found the descriptor of example.com/app:2.0.0; correct the component descriptor`,
    ],
    [
      "that is none",
      () => ["a list"],
      "GetComponentVersion",
      `${own}: not a valid component descriptor: expected meta.schemaVersion v2 or apiVersion ocm.software/v3alpha1, found neither; correct the component descriptor`,
    ],
    [
      "with a reference to nowhere",
      (descriptor) => ({ ...descriptor, component: { ...descriptor.component, componentReferences } }),
      "ComponentNotFound",
      'component example.com/leaf:1.0.0: there is no such component version in HOST/team; it is wanted by component example.com/app:1.0.0: reference "leaf"',
    ],
  ])("%s ends the job with component and place", async (...[, change, reason, message]) => {
    const component = await appWith(await good());
    expect(await failureOf(component, change(descriptorOf(component) as Document))).toEqual([reason, message]);
  });
});
