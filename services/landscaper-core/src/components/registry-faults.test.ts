// A job whose registry fails, or whose core dies, at each request of the job in turn (docs/reference/components.md#failures).
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, resources, type Installation } from "@landscaper/api";
import { createComponentSource } from "@landscaper/components";
import {
  artifactOf,
  blueprintResource,
  digest,
  newFolder,
  startArtifactRegistry,
  type ArtifactRegistry,
  type Interference,
  type TestArtifact,
  type TestComponent,
} from "@landscaper/components/testing";
import { createContentCache, createRegistryClient } from "@landscaper/oci";
import {
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
  type TestNamespace,
} from "@landscaper/testkit";
import { startTestCore } from "../../test/core.ts";
import { deployItems, filesystemOf, trigger } from "../../test/objects.ts";

const words = "words of the leaf";
const folders: string[] = [];
let cluster: EmbeddedCluster;
let deployer: TestDeployer;
let registry: ArtifactRegistry;
/** Archives have the time at which they were made: another call gives other bytes. */
let served: readonly TestArtifact[] = [];
let blueprintDigest = "";
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  deployer = startTestDeployer(cluster.connect("deployer"));
  served = await artifacts();
  registry = await startArtifactRegistry(served);
});
afterAll(async () => {
  await Promise.all([deployer?.stop(), registry?.stop()]);
  await cluster?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

async function artifacts(more?: TestComponent["resources"]): Promise<readonly TestArtifact[]> {
  return await Promise.all((await landscape(more)).map(async (component) => await artifactOf(component)));
}

/** The blueprint of the app reads a resource of the leaf, which the app refers to. */
async function landscape(more: TestComponent["resources"] = {}): Promise<readonly TestComponent[]> {
  const item = deployItems({ name: "WORDS" }).replace(
    "WORDS",
    '{{ getResourceContent "cd://componentReferences/leaf/resources/words" | len }}-words',
  );
  const blueprint = await blueprintResource(filesystemOf({ deploy: item }));
  blueprintDigest = digest(blueprint.content);
  const reference = { name: "leaf", componentName: "example.com/leaf", version: "1.0.0" };
  return [
    { name: "example.com/app", version: "1.0.0", resources: { blueprint, ...more }, references: [reference] },
    { name: "example.com/leaf", version: "1.0.0", resources: { words } },
  ];
}

/** Ends a core that a test has started. */
const running: ((how: "kill" | "stop") => Promise<void>)[] = [];

/** A core with a cache of this folder. */
function startCore(folder: string): (how: "kill" | "stop") => Promise<void> {
  const registries = createRegistryClient({ userAgent: "test", retries: 0 });
  const cache = createContentCache({ directory: folder, maxBytes: 1024 ** 2 });
  const source = createComponentSource({ registries, cache, blueprints: cache });
  const core = startTestCore(cluster.connect("core"), { components: { source }, gracefulStopMs: 20 });
  let ending: Promise<void> | undefined;
  const end = async (how: "kill" | "stop"): Promise<void> => {
    ending ??= core[how]().then(async () => registries.close());
    await ending;
  };
  running.push(end);
  return end;
}

afterEach(async () => {
  registry.setInterference(undefined);
  for (const end of running.splice(0)) await end("stop");
});

function newCache(): string {
  const folder = newFolder();
  folders.push(folder);
  return folder;
}

async function createRoot(name: string): Promise<TestNamespace> {
  const namespace = await cluster.createNamespace(name);
  const root: Installation = {
    apiVersion,
    kind: "Installation",
    metadata: { name: "root", annotations: trigger },
    spec: {
      componentDescriptor: {
        ref: { componentName: "example.com/app", version: "1.0.0", repositoryContext: registry.context },
      },
      blueprint: { ref: { resourceName: "blueprint" } },
    },
  };
  await namespace.create(resources.installation, root);
  return namespace;
}

async function expectWords(namespace: TestNamespace): Promise<void> {
  await namespace.untilPhase("root", "Succeeded");
  const [item] = await namespace.list(resources.deployItem);
  expect(item?.metadata.labels?.["execution.landscaper.gardener.cloud/name"]).toBe(`${words.length}-words`);
}

/** What the job asks for, one after the other: method, component, and what of it. */
const steps = [
  "HEAD app manifest",
  "GET app manifest",
  "GET app descriptor",
  "HEAD leaf manifest",
  "GET leaf manifest",
  "GET leaf descriptor",
  "GET app blueprint",
  "GET leaf words",
] as const;

/** The requests since the last call. */
function takeRequests(): string[] {
  return registry.requests.splice(0).map(({ method, url }) => {
    const [, component = "", kind = "", name = ""] =
      /component-descriptors\/example\.com\/(\w+)\/(manifests|blobs)\/(.*)$/.exec(url) ?? [];
    const blob = name === blueprintDigest ? "blueprint" : name === digest(words) ? "words" : "descriptor";
    return `${method} ${component} ${kind === "manifests" ? "manifest" : blob}`;
  });
}

type Answer = Parameters<Interference>[1];
const faults: readonly (readonly [string, (response: Answer) => void])[] = [
  ["is broken off", (response) => response.destroy()],
  [
    "ends in the middle",
    (response) => void response.writeHead(200, { "content-length": 9 }).write("some", () => response.destroy()),
  ],
  ["is 503", (response) => void response.writeHead(503).end()],
  ["is 429", (response) => void response.writeHead(429).end()],
];

const table = steps.map((step, index) => {
  const [fault = "", answer = (): void => {}] = faults[index % faults.length] ?? [];
  return { step, fault, answer, index };
});

describe("a job of a registry that goes away", () => {
  it.each(table)("is told what is waited for when $step $fault, and goes on without what it has", async (given) => {
    const { step, answer, index } = given;
    takeRequests();
    startCore(newCache());
    let isAway = true;
    registry.setInterference((_request, response, at) => {
      if (!isAway || at < index) return false;
      answer(response);
      return true;
    });
    const namespace = await createRoot(`away-${index}`);
    const waiting = await namespace.until(
      resources.installation,
      "root",
      (found) => found?.status?.lastError?.reason?.startsWith("RegistryUn") === true,
    );
    const [, component = "", what = ""] = step.split(" ");
    const resource = ["blueprint", "words"].includes(what) ? `: resource "${what}"` : "";
    const { lastError, phase } = waiting?.status ?? {};
    const message = lastError?.message?.replace(`${registry.origin}/v2/`, `${registry.host}/`);
    expect([phase, message?.split(/\/manifests\/|\/blobs\/|@/)[0]]).toEqual([
      "Init",
      `component example.com/${component}:1.0.0${resource}: ${registry.host}/team/component-descriptors/example.com/${component}`,
    ]);
    isAway = false;
    await expectWords(namespace);
    const seen = takeRequests();
    // What was answered before is not asked for again, but for the tags: their manifests must still be the same.
    const gets = seen.filter((each) => each.startsWith("GET"));
    const before = steps.slice(0, index).filter((each) => each.startsWith("GET"));
    expect(before.map((each) => [each, gets.filter((get) => get === each).length])).toEqual(
      before.map((each) => [each, 1]),
    );
    expect([...new Set(seen)].toSorted()).toEqual([...steps].toSorted());
  });
});

describe("a job whose tag moves while it waits for the registry", () => {
  it("ends with both digests, and the next job reads what is there then", async () => {
    takeRequests();
    startCore(newCache());
    registry.setInterference(({ url }, response) => {
      if (!url.endsWith(blueprintDigest)) return false;
      response.writeHead(503).end();
      return true;
    });
    const namespace = await createRoot("moved");
    const isWaiting = (found: Installation | undefined): boolean =>
      found?.status?.lastError?.reason === "RegistryUnavailable";
    await namespace.until(resources.installation, "root", isWaiting);
    const [before, leaf] = served;
    const [after] = await artifacts({ note: "another one" });
    if (before === undefined || after === undefined || leaf === undefined) throw new Error("there is no component");
    registry.setArtifacts([after, leaf]);
    const { status } = await namespace.untilPhase("root", "Failed");
    const [first, found] = [before, after].map(({ manifest }) => digest(JSON.stringify(manifest)));
    expect(status?.lastError).toMatchObject({
      reason: "ComponentChanged",
      message: `component example.com/app:1.0.0: resource "blueprint": component example.com/app:1.0.0 in ${registry.host}/team/component-descriptors/example.com/app: its tag has moved during the job, which has begun with ${first}; the repository now has ${found}; trigger the root Installation again when the change is meant`,
    });
    registry.setInterference(undefined);
    await namespace.annotate(resources.installation, "root", trigger);
    await expectWords(namespace);
    registry.setArtifacts(served);
  });
});

describe("a core that dies at a request", () => {
  it.each(steps.map((step, index) => ({ step, index })))(
    "$step leaves a job that the next one ends without fetching what is in the cache",
    async ({ index }) => {
      takeRequests();
      const folder = newCache();
      const endFirst = startCore(folder);
      let isReached = false;
      registry.setInterference((_request, _response, at) => {
        // It is not answered any more.
        isReached ||= at === index;
        return at === index;
      });
      const namespace = await createRoot(`dies-${index}`);
      await waitFor(() => isReached);
      await endFirst("kill");
      registry.setInterference(undefined);
      startCore(folder);
      await expectWords(namespace);
      const gets = takeRequests().filter((each) => each.startsWith("GET"));
      const died = steps[index] ?? "";
      const expected = steps.filter((each) => each.startsWith("GET"));
      expect(gets.toSorted()).toEqual([...expected, ...(died.startsWith("GET") ? [died] : [])].toSorted());
    },
  );
});
