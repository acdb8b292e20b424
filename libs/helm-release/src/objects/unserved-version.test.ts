// Releases whose objects were deployed in a version of their kind that the cluster does not serve any more.
import { describe, expect, it } from "@jest/globals";
import { createVersionedKind, type VersionedKind } from "@landscaper/testkit";
import { createUninstall } from "../create-uninstall.ts";
import type { ReleaseContext } from "../release-context.ts";
import { deleteObject } from "./remove-objects.ts";
import { contentOf, finish, useReleaseFixture } from "../../test/release-fixture.ts";

const { signal } = new AbortController();
const fixture = useReleaseFixture();

describe("a release whose objects have a version that the cluster no longer serves", () => {
  /** A release of two Lids. Their version is gone. */
  async function deployed(): Promise<{ context: ReleaseContext; kind: VersionedKind }> {
    const context = await fixture.release("app");
    const { namespace } = context;
    const kind = await createVersionedKind(fixture.client, `${namespace}.example.org`);
    const lids = ["a", "b"].map((name) => kind.lid({ namespace, name }));
    await fixture.deploy(context, contentOf(lids));
    expect(await kind.names(namespace)).toEqual(["a", "b"]);
    await kind.drop();
    return { context, kind };
  }

  it("deletes them when it is uninstalled", async () => {
    const { context, kind } = await deployed();
    await finish(createUninstall(context, await context.store.history({ signal }), { wait: true }));
    expect(await kind.names(context.namespace)).toEqual([]);
  });

  it("deletes an object whose version it has seen earlier", async () => {
    const context = await fixture.release("hooks");
    const { namespace, cluster } = context;
    const kind = await createVersionedKind(fixture.client, `${namespace}.example.org`);
    const lid = kind.lid({ namespace, name: "hook" });
    await kind.create({ namespace, name: "hook" });
    expect(await cluster.discovery.find(lid.apiVersion, lid.kind, signal)).toMatchObject({ version: "v1beta1" });
    await kind.drop();
    await deleteObject(lid, { cluster, signal });
    expect(await kind.names(namespace)).toEqual([]);
  });

  it("keeps those that its next chart has in another version, and deletes the others", async () => {
    const { context, kind } = await deployed();
    const { namespace } = context;
    const uidOf = async () => {
      const [live] = await kind.list(namespace);
      return live?.metadata.uid;
    };
    const before = await uidOf();
    await fixture.deploy(context, contentOf([kind.lid({ namespace, name: "a" }, "v1")]));
    expect(await kind.names(namespace)).toEqual(["a"]);
    expect(await uidOf()).toBe(before);
  });
});
