import { describe, expect, it } from "@jest/globals";
import { parseContainerConfig } from "../container-config.ts";
import { registryPlaces } from "./registry-places.ts";

const context = (baseUrl: string) => ({ type: "OCIRegistry", baseUrl });
const ref = (repositoryContext?: object) => ({
  ref: { componentName: "example.com/app", version: "1.0.0", ...(repositoryContext && { repositoryContext }) },
});
const inline = (access: object, contexts: readonly object[] = []) => ({
  inline: {
    meta: { schemaVersion: "v2" },
    component: {
      name: "example.com/app",
      version: "1.0.0",
      provider: "example.com",
      repositoryContexts: contexts,
      sources: [],
      componentReferences: [],
      resources: [{ name: "bp", version: "1.0.0", type: "blueprint", relation: "external", access }],
    },
  },
});
const artifact = { type: "ociArtifact", imageReference: "blueprints.example:5000/team/bp:1.0.0" };
const blueprint = { ref: { resourceName: "bp" } };
const parts = { host: "parts.example", repository: "team" };
const blueprints = { host: "blueprints.example:5000", repository: "team/bp", tag: "1.0.0" };
const pin = "blueprints.example:5000/team/bp:1.0.0";

function placesOf(config: object, pinned?: string) {
  const meta = { apiVersion: "container.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" };
  return registryPlaces(parseContainerConfig({ ...meta, ...config }, "spec.config"), pinned);
}

describe("the registries that init reads from", () => {
  it.each<[string, { readonly config: object; readonly pinned?: string }, ReturnType<typeof placesOf>]>([
    ["an item without component", { config: {} }, { component: undefined, blueprint: undefined }],
    [
      "an item without blueprint",
      { config: { componentDescriptor: ref(context("parts.example/team")) }, pinned: pin },
      { component: parts, blueprint: undefined },
    ],
    [
      "a blueprint beside its component",
      { config: { componentDescriptor: ref(context("parts.example/team")), blueprint } },
      { component: parts, blueprint: parts },
    ],
    [
      "a blueprint that the core has found elsewhere",
      { config: { componentDescriptor: ref(context("parts.example/team")), blueprint }, pinned: pin },
      { component: parts, blueprint: blueprints },
    ],
    [
      "a component that only the OCM configuration finds",
      { config: { componentDescriptor: ref(), blueprint }, pinned: pin },
      { component: undefined, blueprint: blueprints },
    ],
    [
      "an inline component with an artifact",
      {
        config: {
          componentDescriptor: inline(artifact, [context("old.example"), context("parts.example/team")]),
          blueprint,
        },
      },
      { component: parts, blueprint: blueprints },
    ],
    [
      "an inline component with a local blob",
      {
        config: {
          componentDescriptor: inline({ type: "localBlob", localReference: "x", mediaType: "y" }, [
            context("parts.example/team"),
          ]),
          blueprint,
        },
      },
      { component: parts, blueprint: parts },
    ],
  ])("of %s", (_title, { config, pinned }, places) => {
    expect(placesOf(config, pinned)).toEqual(places);
  });
});
