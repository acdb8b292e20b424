import { describe, expect, it } from "@jest/globals";
import { parseDescriptor } from "@landscaper/ocm";
import { blueprintResources, findBlueprintResource, nameOfBlueprint } from "./blueprint-resource.ts";

const type = "landscaper.gardener.cloud/blueprint";
const component = parseDescriptor(
  {
    meta: { schemaVersion: "v2" },
    component: {
      name: "example.com/app",
      version: "1.0.0",
      resources: [
        { name: "web", type: "helmChart", version: "1.0.0" },
        { name: "web", type, version: "2.0.0" },
        { name: "web", type, version: "3.0.0" },
        { name: "shop", type, version: "1.0.0", extraIdentity: { edition: "small" } },
        { name: "shop", type: "blueprint", version: "1.0.0", extraIdentity: { edition: "large" } },
      ],
    },
  },
  "test",
);
const { resources } = component;

describe("a blueprint among the resources of a component", () => {
  it.each([
    ["web", 1],
    ["web,version=3.0.0", 2],
    ["web,version=1.0.0", undefined],
    ["shop", 3],
    ["shop,edition=large", 4],
    ["shop,edition=large,version=1.0.0", 4],
    ["none", undefined],
  ])("that %s names is resource %j", (name, index) => {
    expect(findBlueprintResource(component, name)).toBe(index === undefined ? undefined : resources[index]);
  });

  it("has its name as resourceName, with more only if that names another one", () => {
    const names = resources.map((resource) => nameOfBlueprint(component, resource));
    expect(names).toEqual(["web", "web", "web,version=3.0.0", "shop", "shop,edition=large"]);
    for (const blueprint of blueprintResources(component)) {
      expect(findBlueprintResource(component, nameOfBlueprint(component, blueprint))).toBe(blueprint);
    }
  });
});
