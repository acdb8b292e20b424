// Component versions that are as large and as deep as is allowed, and more (docs/reference/components.md#resolution).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, resources, type Installation } from "@landscaper/api";
import { createComponentSource } from "@landscaper/components";
import {
  artifactOf,
  blueprintResource,
  descriptorOf,
  startArtifactRegistry,
  type ArtifactRegistry,
  type TestArtifact,
  type TestResource,
} from "@landscaper/components/testing";
import { createRegistryClient } from "@landscaper/oci";
import { deployItems, filesystemOf, trigger } from "../../test/objects.ts";
import { setUpCore, type TestSetUp } from "../../test/set-up.ts";

const registries = createRegistryClient({ userAgent: "test", retries: 0 });
const setUp = setUpCore({ components: { source: createComponentSource({ registries }) } });
let registry: ArtifactRegistry;
let blueprint: TestResource;
beforeAll(async () => {
  registry = await startArtifactRegistry([]);
  blueprint = await blueprintResource(filesystemOf({ deploy: deployItems({ name: "item" }) }));
});
afterAll(async () => {
  await registry?.stop();
  await registries.close();
});

const version = "1.0.0";
const nameOf = (index: number): string => `example.com/part-${index}`;
const refersTo = (index: number) => [{ name: "next", componentName: nameOf(index), version }];

/** Components that refer to each other in a row; the last one to `last`, if it is given. */
async function rowOf(count: number, last?: number): Promise<readonly TestArtifact[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const next = index + 1 < count ? index + 1 : last;
      const own = index === 0 ? { resources: { blueprint } } : {};
      return await artifactOf({
        name: nameOf(index),
        version,
        ...own,
        ...(next === undefined ? {} : { references: refersTo(next) }),
      });
    }),
  );
}

/** With a label of this many bytes. */
async function largeComponent(bytes: number): Promise<readonly TestArtifact[]> {
  const component = { name: nameOf(0), version, resources: { blueprint } };
  const document = descriptorOf(component) as { readonly component: object };
  const labels = [{ name: "large", value: "x".repeat(bytes) }];
  return [await artifactOf(component, { descriptor: { ...document, component: { ...document.component, labels } } })];
}

/** With this many resources. */
async function complexComponent(count: number): Promise<readonly TestArtifact[]> {
  const component = { name: nameOf(0), version, resources: { blueprint } };
  const document = descriptorOf(component) as { readonly component: { readonly resources: readonly object[] } };
  const [first = {}] = document.component.resources;
  const others = Array.from({ length: count }, (_, index) => ({ ...first, name: `copy-${index}` }));
  const descriptor = { ...document, component: { ...document.component, resources: [first, ...others] } };
  return [await artifactOf(component, { descriptor })];
}

/** The Installation of the first one, when its job has ended. */
async function install(
  name: string,
  artifacts: readonly TestArtifact[],
  core: Pick<TestSetUp, "namespace"> = setUp,
): Promise<Installation["status"]> {
  registry.setArtifacts(artifacts);
  registry.requests.splice(0);
  const namespace = await core.namespace(name);
  const ref = { componentName: nameOf(0), version, repositoryContext: registry.context };
  const root: Installation = {
    apiVersion,
    kind: "Installation",
    metadata: { name: "root", annotations: trigger },
    spec: { componentDescriptor: { ref }, blueprint: { ref: { resourceName: "blueprint" } } },
  };
  await namespace.create(resources.installation, root);
  const isEnded = (found: Installation | undefined): boolean =>
    found?.status?.phase === "Succeeded" || found?.status?.phase === "Failed";
  return (await namespace.until(resources.installation, "root", isEnded))?.status;
}

describe("a component version", () => {
  it("may have a descriptor of 10 MB", async () => {
    expect((await install("large", await largeComponent(10_000_000)))?.phase).toBe("Succeeded");
  });

  it("must not have one of more than 16 MiB, which is said with its place", async () => {
    const status = await install("too-large", await largeComponent(17_000_000));
    expect(status?.lastError?.message).toMatch(
      new RegExp(
        `^component example\\.com/part-0:1\\.0\\.0 in ${registry.host}/team/component-descriptors/example\\.com/part-0: "component-descriptor\\.yaml" has 17\\d{6} bytes, more than the allowed 16777216`,
      ),
    );
  });

  it("may refer to others in 100 levels, each of which is asked for once", async () => {
    expect((await install("deep", await rowOf(100)))?.phase).toBe("Succeeded");
    expect(registry.requests.filter(({ url }) => url.includes("/manifests/"))).toHaveLength(100);
  });

  it("must not refer to more, which is said of it", async () => {
    const status = await install("too-deep", await rowOf(101));
    expect(status?.lastError?.message).toMatch(
      /^component example\.com\/part-0:1\.0\.0: the component versions that it refers to are deeper than 100/,
    );
    // Nothing below is asked for.
    expect(registry.requests.filter(({ url }) => url.includes("/manifests/")).length).toBeLessThanOrEqual(101);
  });

  it("may be referred to in a ring", async () => {
    expect((await install("ring", await rowOf(5, 0)))?.phase).toBe("Succeeded");
    expect(registry.requests.filter(({ url }) => url.includes("/manifests/"))).toHaveLength(5);
  });
});

describe("a core that gives a job one second", () => {
  const impatient = setUpCore({
    components: { source: createComponentSource({ registries }) },
    rendering: { timeoutSeconds: 1 },
  });

  it("ends one whose descriptor takes longer to read, and names the component", async () => {
    const status = await install("complex", await complexComponent(35_000), impatient);
    expect(status?.lastError).toMatchObject({
      reason: "ContentLimitExceeded",
      message: expect.stringContaining(
        "component example.com/part-0:1.0.0 with all that it refers to: took more than 1 s of processor time, which is the limit of a job",
      ) as unknown,
    });
  });
});
