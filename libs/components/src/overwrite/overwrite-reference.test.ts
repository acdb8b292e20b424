import { describe, expect, it } from "@jest/globals";
import type { ComponentVersionOverwrite } from "@landscaper/api";
import { describeOverwrite, overwriteReference, type ComponentReference } from "./overwrite-reference.ts";

const old = { type: "OCIRegistry", baseUrl: "old.example/team" };
const next = { type: "OCIRegistry", baseUrl: "new.example", componentNameMapping: "sha256-digest" };
const reference: ComponentReference = { componentName: "example.com/a", version: "v0.1.0", repositoryContext: old };

const entry = (
  source: ComponentVersionOverwrite["source"],
  substitution: ComponentVersionOverwrite["substitution"],
): ComponentVersionOverwrite => ({ source, substitution });

describe("the overwrites of a Context", () => {
  it.each<[string, readonly ComponentVersionOverwrite[], Partial<ComponentReference>]>([
    ["leave a reference that no source fits", [entry({ componentName: "example.com/b" }, { version: "v9" })], {}],
    ["replace the version", [entry({ componentName: "example.com/a" }, { version: "v1.2.3" })], { version: "v1.2.3" }],
    ["need all fields of a source", [entry({ componentName: "example.com/a", version: "v2" }, { version: "v9" })], {}],
    [
      "take empty texts for absent fields",
      [entry({ componentName: "", version: "v0.1.0" }, { version: "v1", componentName: "" })],
      { version: "v1" },
    ],
    [
      "compare contexts whatever the order of their fields",
      [entry({ repositoryContext: { baseUrl: "old.example/team", type: "OCIRegistry" } }, { repositoryContext: next })],
      { repositoryContext: next },
    ],
    [
      "do not take one name of a type for another",
      [entry({ repositoryContext: { ...old, type: "ociRegistry" } }, { version: "v9" })],
      {},
    ],
    [
      "are joined where they set different fields",
      [
        entry({ version: "v0.1.0" }, { componentName: "example.com/b" }),
        entry({ componentName: "example.com/a" }, { version: "v2" }),
      ],
      { componentName: "example.com/b", version: "v2" },
    ],
    [
      "compare with the reference as it was given, not with what earlier entries made of it",
      [entry({ version: "v0.1.0" }, { version: "v2" }), entry({ version: "v2" }, { componentName: "example.com/c" })],
      { version: "v2" },
    ],
    [
      "pass a whole entry over that sets what is set already",
      [entry({}, { version: "v2" }), entry({}, { version: "v3", componentName: "example.com/c" })],
      { version: "v2" },
    ],
    [
      "end when everything is set",
      [
        entry({}, { version: "v2", componentName: "example.com/c", repositoryContext: next }),
        entry({}, { version: "v3" }),
      ],
      { version: "v2", componentName: "example.com/c", repositoryContext: next },
    ],
  ])("%s", (_title, overwrites, changes) => {
    expect(overwriteReference(reference, overwrites)).toEqual({ ...reference, ...changes });
  });
});

describe("what the condition says", () => {
  it.each<[string, ComponentReference, string | undefined]>([
    ["nothing without a change", { ...reference }, undefined],
    [
      "the version",
      { ...reference, version: "v1.2.3" },
      "Component reference has been overwritten:\nRepositoryContext has not been overwritten\nComponentName has not been overwritten\nv0.1.0 -> v1.2.3",
    ],
    [
      "repository and name",
      { componentName: "example.com/b", version: "v0.1.0", repositoryContext: next },
      "Component reference has been overwritten:\nold.example/team (urlPath) -> new.example (sha256-digest)\nexample.com/a -> example.com/b\nVersion has not been overwritten",
    ],
    [
      "no password of a URL",
      {
        ...reference,
        repositoryContext: { type: "OCIRegistry", baseUrl: "https://user:secret@new.example", subPath: "x" },
      },
      "Component reference has been overwritten:\nold.example/team (urlPath) -> https://new.example/x (urlPath)\nComponentName has not been overwritten\nVersion has not been overwritten",
    ],
  ])("is %s", (_title, after, message) => {
    expect(describeOverwrite(reference, after)).toBe(message);
  });
});
