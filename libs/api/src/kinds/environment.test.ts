import { describe, expect, it } from "@jest/globals";
import { environmentNamespaces } from "./environment.ts";

describe("the namespaces of an Environment", () => {
  it.each<[string, { readonly namespaces?: string[] }, readonly string[] | undefined]>([
    ["are all without the list", {}, undefined],
    ['are all with ["*"]', { namespaces: ["*"] }, undefined],
    ["are those of the list", { namespaces: ["one", "two"] }, ["one", "two"]],
    // The CRD refuses it; it must not give more rights than the names.
    ['are not all with "*" beside a name', { namespaces: ["*", "one"] }, ["*", "one"]],
  ])("%s", (_, spec, expected) => {
    expect(environmentNamespaces(spec)).toEqual(expected);
  });
});
