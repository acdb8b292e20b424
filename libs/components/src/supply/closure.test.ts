import { describe, expect, it } from "@jest/globals";
import { componentText, parseResourceReference, findResource } from "@landscaper/ocm";
import { descriptorOf, digest, type TestComponent } from "../../test/index.ts";
import { readClosure, type Closure, type ComponentSelection } from "./closure.ts";
import { keyOfRequest, type ComponentRequest } from "./component-request.ts";
import { SuppliesLacking, SupplyReader, type Supply } from "./supplies.ts";

const registry = { type: "OCIRegistry", baseUrl: "registry.example" };
const other = { type: "OCIRegistry", baseUrl: "other.example" };
const where = "spec.componentDescriptor.inline";

const to = (short: string, version = "1.0.0") => ({
  name: `to-${short}`,
  componentName: `example.com/${short}`,
  version,
});
const component = (short: string, more: Partial<TestComponent> = {}): TestComponent => ({
  name: `example.com/${short}`,
  version: "1.0.0",
  ...more,
});

function describeTest({ component: { name, version }, ...request }: ComponentRequest): string {
  const short = `${name.slice("example.com/".length)}:${version}`;
  const place = request.context === undefined ? "" : ` in ${String(request.context["baseUrl"])}`;
  return request.type === "content" ? `${short} ${request.resource}${place}` : `${short}${place}`;
}

/** Reads until nothing is lacking; `asked` has the requests of each attempt. */
async function read(
  selection: Partial<ComponentSelection> & Pick<ComponentSelection, "root">,
  components: readonly TestComponent[],
  use: (closure: Closure) => void = () => undefined,
): Promise<{ readonly closure: Closure; readonly asked: readonly (readonly string[])[] }> {
  const supplies = new Map<string, Supply>();
  const asked: string[][] = [];
  const supply = (request: ComponentRequest): Supply => {
    const found = components.find((each) => componentText(each) === componentText(request.component));
    if (found === undefined) throw new Error(`${describeTest(request)} is not there`);
    const text = request.type === "content" ? "content" : JSON.stringify(descriptorOf(found));
    const context = request.type === "content" ? undefined : request.context;
    return { bytes: Buffer.from(text), digest: digest(text), mediaType: "", where: "the test", context };
  };
  for (;;) {
    try {
      const closure = await readClosure(
        { context: registry, overwrites: [], hasResolvers: false, ...selection },
        { supplies: new SupplyReader([...supplies]), where },
      );
      use(closure);
      return { closure, asked };
    } catch (error) {
      if (!(error instanceof SuppliesLacking)) throw error;
      asked.push(error.requests.map(describeTest));
      for (const request of error.requests) supplies.set(keyOfRequest(request), supply(request));
    }
  }
}

const names = ({ components }: Closure): readonly string[] =>
  components.map(({ name, version }) => `${name.slice("example.com/".length)}:${version}`);
const root = { name: "example.com/aa", version: "1.0.0" };

describe("a component with all that it refers to", () => {
  it("is asked for level by level, each component version once, and comes depth first", async () => {
    const components = [
      component("aa", { references: [to("bb"), to("cc")] }),
      component("bb", { references: [to("dd")] }),
      component("cc", { references: [to("dd"), to("aa")] }),
      component("dd"),
    ];
    const { closure, asked } = await read({ root }, components);
    expect(asked).toEqual([
      ["aa:1.0.0 in registry.example"],
      ["bb:1.0.0 in registry.example", "cc:1.0.0 in registry.example"],
      ["dd:1.0.0 in registry.example"],
    ]);
    expect(names(closure)).toEqual(["aa:1.0.0", "bb:1.0.0", "dd:1.0.0", "cc:1.0.0"]);
    expect(closure.root.repositoryContexts.at(-1)).toEqual(registry);
    expect(closure.overwritten).toBeUndefined();
  });

  it("follows overwrites, of its own reference and of those below, each by its own words", async () => {
    const overwrites = [
      { source: { componentName: "example.com/aa" }, substitution: { version: "2.0.0", repositoryContext: other } },
      {
        source: { componentName: "example.com/bb", version: "1.0.0" },
        substitution: { componentName: "example.com/cc" },
      },
    ];
    const components = [
      component("aa", { version: "2.0.0", references: [to("bb")] }),
      component("bb"),
      component("cc"),
    ];
    const { closure, asked } = await read({ root, overwrites }, components);
    expect(asked).toEqual([["aa:2.0.0 in other.example"], ["cc:1.0.0 in other.example"]]);
    expect(names(closure)).toEqual(["aa:2.0.0", "cc:1.0.0"]);
    expect(closure.overwritten).toContain("\n1.0.0 -> 2.0.0");
    expect(closure.lookup({ name: "example.com/bb", version: "1.0.0" })?.name).toBe("example.com/cc");
    const original = await read({ root, overwrites }, components, ({ lookupOriginal }) => {
      lookupOriginal({ name: "example.com/bb", version: "1.0.0" });
    });
    expect(original.asked.at(-1)).toEqual(["bb:1.0.0 in other.example"]);
  });

  it("asks for content with its access and digest, in the repository of its component", async () => {
    const components = [
      component("aa", { references: [to("bb")] }),
      component("bb", { resources: { note: "content" } }),
    ];
    const { asked } = await read({ root }, components, (closure) => {
      const reference = parseResourceReference("cd://componentReferences/to-bb/resources/note");
      const found = findResource(reference, closure.root, closure.lookup);
      expect(Buffer.from(closure.contentOf(found, "content").bytes).toString()).toBe("content");
    });
    expect(asked.at(-1)).toEqual(["bb:1.0.0 note in registry.example"]);
  });

  it("is not that of another component version", async () => {
    const given = JSON.stringify(descriptorOf(component("bb")));
    const supply = { bytes: Buffer.from(given), digest: digest(given), mediaType: "", where: "registry.example" };
    const key = keyOfRequest({ type: "descriptor", component: root, context: registry });
    const reading = readClosure(
      { root, context: registry, overwrites: [], hasResolvers: false },
      { supplies: new SupplyReader([[key, supply]]), where },
    );
    await expect(reading).rejects.toThrow(
      new Error("component example.com/aa:1.0.0 in registry.example: found the descriptor of example.com/bb:1.0.0"),
    );
  });
});

describe("an inline descriptor", () => {
  const nested = (inner: object, short: string) => ({
    ...to(short),
    labels: [{ name: "landscaper.gardener.cloud/component-descriptor", value: inner }],
  });
  const inlineOf = (repositoryContexts: readonly object[]): object => {
    const { component: fields, ...meta } = descriptorOf(component("aa")) as { component: object };
    const componentReferences = [nested(descriptorOf(component("bb")), "bb"), to("cc")];
    return { ...meta, component: { ...fields, repositoryContexts, componentReferences } };
  };

  it("is searched first, then the repository that it names last", async () => {
    const { closure, asked } = await read({ root: { inline: inlineOf([registry, other]) } }, [component("cc")]);
    expect(asked).toEqual([["cc:1.0.0 in other.example"]]);
    expect(closure.components.map((each) => [each.name, closure.isInline(each)])).toEqual([
      ["example.com/aa", true],
      ["example.com/bb", true],
      ["example.com/cc", false],
    ]);
    expect(closure.context).toEqual(other);
  });

  it("has the repository of the Context where it names none, and resolvers", async () => {
    const inline = inlineOf([]);
    expect((await read({ root: { inline } }, [component("cc")])).asked).toEqual([["cc:1.0.0 in registry.example"]]);
    const resolved = await read({ root: { inline }, context: undefined, hasResolvers: true }, [component("cc")]);
    expect(resolved.asked).toEqual([["cc:1.0.0"]]);
  });

  it("may refer to what nobody looks for, as long as there is no repository at all", async () => {
    const { closure, asked } = await read({ root: { inline: inlineOf([]) }, context: undefined }, []);
    expect([asked, names(closure)]).toEqual([[], ["aa:1.0.0", "bb:1.0.0"]]);
  });
});

describe("an inline repository", () => {
  const repositoryOf = (more: object = {}) => ({
    type: "inline",
    compDescDirPath: "components",
    fileSystem: {
      components: {
        "aa.yaml": JSON.stringify(
          descriptorOf(
            component("aa", {
              references: [to("bb")],
              resources: { note: { content: "x", access: { type: "localFilesystemBlob", fileName: "note.txt" } } },
            }),
          ),
        ),
        "bb.yaml": JSON.stringify(descriptorOf(component("bb"))),
      },
      blobs: { "note.txt": "a note", folder: { "blueprint.yaml": "kind: Blueprint" } },
    },
    ...more,
  });

  it("gives components and content, and nothing has to be fetched", async () => {
    const { closure, asked } = await read({ root, context: repositoryOf() }, [], (found) => {
      const resource = { component: found.root, resource: found.root.resources[0] ?? { name: "" } };
      expect(Buffer.from(found.contentOf(resource, "content").bytes).toString()).toBe("a note");
    });
    expect([asked, names(closure)]).toEqual([[], ["aa:1.0.0", "bb:1.0.0"]]);
  });

  it.each<[string, object, string]>([
    [
      "of the service",
      { blobFsMode: "context" },
      "inline repository: blobFsMode: expected filesystem: content comes from the context itself",
    ],
    ["without files", { fileSystem: 5 }, "inline repository: fileSystem: expected files and folders by name"],
    ["of damaged YAML", { fileSystem: "a: [" }, "inline repository: fileSystem: expected YAML"],
    [
      "without the component",
      { compDescDirPath: "elsewhere" },
      "component example.com/aa:1.0.0: there is no such component version in the inline repository",
    ],
  ])("%s is refused", async (_title, more, message) => {
    await expect(read({ root, context: repositoryOf(more) }, [])).rejects.toThrow(message);
  });
});
