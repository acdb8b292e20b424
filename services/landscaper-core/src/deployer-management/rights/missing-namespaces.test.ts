import { describe, expect, it } from "@jest/globals";
import type { Namespace, ObjectKey } from "@landscaper/api";
import { environment } from "../../../test/deployer-management.ts";
import { findMissingNamespaces, missingNamespacesError } from "./missing-namespaces.ts";

const namespace = (name: string, metadata: Namespace["metadata"] = {}): Namespace => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, ...metadata },
});
const all = [namespace("one"), namespace("two"), namespace("going", { deletionTimestamp: "2026-06-01T00:00:00Z" })];
const namespaces = { get: ({ name }: ObjectKey) => all.find(({ metadata }) => metadata.name === name) };

describe("namespaces that an Environment names and that are missing", () => {
  it.each([
    [undefined, []],
    [["one", "two"], []],
    [
      ["z", "one", "a"],
      ["a", "z"],
    ],
    [["going"], ["going"]],
    [["*"], []],
  ])("of %j: %j", (named, expected) => {
    const spec = named === undefined ? {} : { namespaces: named };
    expect(findMissingNamespaces({ namespaces }, environment("env", spec))).toEqual(expected);
  });

  it("are named in the error, as long as they are few", () => {
    const many = Array.from({ length: 12 }, (_, index) => `n${index}`);
    expect(missingNamespacesError(environment("env"), ["a", "b"]).message).toBe(
      "Environment env: spec.namespaces names namespaces that do not exist or are being deleted: a, b",
    );
    expect(missingNamespacesError(environment("env"), many).message).toBe(
      "Environment env: spec.namespaces names namespaces that do not exist or are being deleted: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 2 more",
    );
  });
});
