// Component versions of which each has one defect, beside a correct one.
import {
  artifactOf,
  blueprintResource,
  descriptorOf,
  gzip,
  tarOf,
  type TestArtifact,
  type TestComponent,
  type TestResource,
} from "@landscaper/components/testing";
import { blueprintYaml, deployItems, goTemplate, mockItem } from "../installations/inline-installation.ts";

const version = "1.0.0";
const blueprintOf = async (blueprint: Readonly<Record<string, unknown>>): Promise<TestResource> =>
  await blueprintResource({ "blueprint.yaml": blueprintYaml(blueprint) });

async function components(): Promise<readonly TestComponent[]> {
  const empty = await blueprintOf({ deployExecutions: goTemplate("deployItems: []\n") });
  const reading = deployItems(
    mockItem("item", { providerStatus: { words: '{{ getResourceContent "cd://resources/wrods" }}' } }),
  );
  const type = "landscaper.gardener.cloud/blueprint";
  const nothing = gzip(await tarOf({ name: "README.md", content: "a blueprint\n" }));
  const part = { name: "part", componentName: "example.org/part", version };
  return [
    { name: "example.org/shop", version, resources: { blueprint: empty, words: "words" } },
    { name: "example.org/plain", version, resources: { blueprint: "a text" } },
    { name: "example.org/broken", version, resources: { blueprint: { content: "no archive", type } } },
    { name: "example.org/empty", version, resources: { blueprint: { content: nothing, type } } },
    { name: "example.org/whole", version, resources: { blueprint: empty }, references: [part] },
    {
      name: "example.org/reader",
      version,
      resources: { blueprint: await blueprintOf({ deployExecutions: reading }), words: "words" },
    },
    { name: "example.org/changed", version, resources: { blueprint: empty } },
    {
      name: "example.org/away",
      version,
      resources: {
        blueprint: {
          ...empty,
          access: {
            type: "ociBlob",
            ref: "127.0.0.1:9/blueprints",
            digest: `sha256:${"0".repeat(64)}`,
            size: 1,
            mediaType: empty.mediaType ?? "",
          },
        },
      },
    },
  ];
}

/** The descriptor of this component has a wrong digest of its blueprint. */
function damage(component: TestComponent): { readonly descriptor?: object } {
  if (component.name !== "example.org/changed") return {};
  const text = JSON.stringify(descriptorOf(component));
  return { descriptor: JSON.parse(text.replace(/"value":"[0-9a-f]+"/, `"value":"${"0".repeat(64)}"`)) as object };
}

export async function mistakeArtifacts(): Promise<readonly TestArtifact[]> {
  return await Promise.all(
    (await components()).map(async (component) => await artifactOf(component, damage(component))),
  );
}
