// Components in memory, for tests of what a blueprint has of them.
import {
  keyOfRequest,
  readClosure,
  SuppliesLacking,
  SupplyReader,
  type Closure,
  type ComponentRequest,
  type ComponentSelection,
  type Supply,
} from "@landscaper/components";
import { descriptorOf, digest, type TestComponent } from "@landscaper/components/testing";

export const testRepository = { type: "OCIRegistry", baseUrl: "registry.example" };

/** Reads the first component with those that it refers to, and calls `use` until nothing is lacking any more. */
export async function withComponents<T>(
  components: readonly TestComponent[],
  use: (closure: Closure) => Promise<T> | T,
  selection: Partial<ComponentSelection> = {},
): Promise<T> {
  const supplies = new Map<string, Supply>();
  const [root = { name: "", version: "" }] = components;
  for (;;) {
    try {
      const closure = await readClosure(
        {
          root: { name: root.name, version: root.version },
          context: testRepository,
          overwrites: [],
          hasResolvers: false,
          ...selection,
        },
        { supplies: new SupplyReader([...supplies]), where: "test" },
      );
      return await use(closure);
    } catch (error) {
      if (!(error instanceof SuppliesLacking)) throw error;
      for (const request of error.requests) supplies.set(keyOfRequest(request), supplyFor(request, components));
    }
  }
}

function supplyFor(request: ComponentRequest, components: readonly TestComponent[]): Supply {
  const { name, version } = request.component;
  const found = components.find((one) => one.name === name && one.version === version);
  if (found === undefined) throw new Error(`the test has no component ${name}:${version}`);
  if (request.type === "descriptor") {
    const text = JSON.stringify(descriptorOf(found));
    return { bytes: Buffer.from(text), digest: digest(text), mediaType: "", where: "test", context: request.context };
  }
  const resource = found.resources?.[request.resource] ?? "";
  const { content, mediaType = "" } = typeof resource === "string" ? { content: resource } : resource;
  return { bytes: Buffer.from(content), digest: digest(content), mediaType, where: "test" };
}
