import { describe, expect, it } from "@jest/globals";
import { annotations, buildItemSecret, LandscaperError, type DeployItem, type Secret } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { writeSecret } from "./item-secret.ts";

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
    const { metadata } = buildItemSecret(item({ [annotations.environments]: "edge", other: "a" }), {
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
    expect(buildItemSecret(item({}), { metadata: { name: "item-export" }, data: {} }).metadata.annotations).toEqual({});
  });
});

describe("writeSecret", () => {
  const mark = { [annotations.environments]: "edge" };
  const owner = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "DeployItem", name: "item", uid: "u" };
  const secretWith = (metadata: Partial<Secret["metadata"]>): Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "ns", name: "item-export", annotations: mark, ownerReferences: [owner], ...metadata },
    data: {},
  });

  /** Writes the exports over a live Secret. Resolves to the written Secret or to the error. */
  async function writeOver(live: Secret): Promise<unknown> {
    const written: Secret[] = [];
    const client = {
      find: async () => live,
      update: async (_type: unknown, secret: Secret) => (written.push(secret), secret),
    } as unknown as Client; // only these are called
    const wanted = buildItemSecret(item(mark), { metadata: { name: "item-export" }, data: { config: "e30=" } });
    const foreign = (path: string, { isTemporary }: { readonly isTemporary: boolean }): LandscaperError =>
      new LandscaperError({ message: `${path} ${isTemporary}`, reason: "ExportSecretForeign" });
    const signal = AbortSignal.timeout(10_000);
    await writeSecret(wanted, { client, item: item(mark), signal, isFirst: false, foreign });
    return written.map(({ metadata }) => metadata);
  }

  it("removes labels and annotations of other writers, because policies would refuse the write", async () => {
    const live = secretWith({ labels: { owner: "helm" }, annotations: { ...mark, "example.org/replicate": "*" } });
    expect(await writeOver(live)).toEqual([{ ...live.metadata, labels: {}, annotations: mark }]);
  });

  it("takes over the Secret of a deleted item with the same name", async () => {
    const live = secretWith({ ownerReferences: [{ ...owner, uid: "former" }] });
    expect(await writeOver(live)).toMatchObject([{ ownerReferences: [{ uid: "u" }] }]);
  });

  it.each([
    ["has another owner, permanently", { ownerReferences: [{ ...owner, name: "other" }] }, "ns/item-export false"],
    [
      "has another mark, until the core removes it",
      { annotations: { [annotations.environments]: "site" } },
      "ns/item-export true",
    ],
  ])("fails for a Secret that %s", async (_name, metadata, message) => {
    await expect(writeOver(secretWith(metadata))).rejects.toThrow(message);
  });
});
