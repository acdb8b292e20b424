import { describe, expect, it } from "@jest/globals";
import { annotations, type DeployItem } from "@landscaper/api";
import { secretOf } from "./item-secret.ts";

function item(marks: Record<string, string>): DeployItem {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { namespace: "ns", name: "item", uid: "u", annotations: marks },
    spec: { type: "test/test" },
  };
}

describe("the Secret of a DeployItem", () => {
  it("is of the Environments of its item, beside annotations of its own", () => {
    const { metadata } = secretOf(item({ [annotations.environments]: "edge", other: "a" }), {
      metadata: { name: "item-export", annotations: { own: "b" } },
      data: {},
    });
    expect(metadata).toMatchObject({
      namespace: "ns",
      name: "item-export",
      ownerReferences: [{ name: "item", uid: "u" }],
    });
    expect(metadata.annotations).toEqual({ own: "b", [annotations.environments]: "edge" });
  });

  it("is of no Environment like its item", () => {
    expect(secretOf(item({}), { metadata: { name: "item-export" }, data: {} }).metadata.annotations).toEqual({});
  });
});
