import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, keyOf, kubeResources, protectionFinalizer, type DeployItem, type Secret } from "@landscaper/api";
import type { EventRecorder, Reconcile } from "@landscaper/controller-runtime";
import { createFakeClock, startEmbeddedCluster, type EmbeddedCluster, type FakeClock } from "@landscaper/testkit";
import { createProtectionReconciler } from "./protection-reconciler.ts";

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
});
afterAll(async () => cluster.stop());

const itemOf = (name: string): DeployItem => ({
  apiVersion,
  kind: "DeployItem",
  metadata: { name },
  spec: { type: "test/one" },
});

/** A Secret with a reconciler that reads it from the cluster at each pass. */
class Scene {
  readonly clock: FakeClock = createFakeClock();
  readonly notes: string[] = [];
  readonly #reconcile: Reconcile;
  #secret: Secret;

  private constructor(secret: Secret, items: readonly DeployItem[], isEnabled: boolean) {
    this.#secret = secret;
    const recorder: EventRecorder = { event: (_, { message }) => void this.notes.push(message) };
    this.#reconcile = createProtectionReconciler({
      client: cluster.client,
      clock: this.clock,
      recorder,
      isEnabled,
      type: kubeResources.secret,
      objects: { get: () => this.#secret },
      users: { isUsed: () => items.length > 0, list: () => items },
    });
  }

  static async open(name: string, items: readonly DeployItem[], isEnabled = true): Promise<Scene> {
    const { name: namespace } = await cluster.createNamespace(name);
    const metadata = { name: "kubeconfig", namespace };
    const secret = await cluster.client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata });
    return new Scene(secret, items, isEnabled);
  }

  /** Returns the pause until the next pass (ms). */
  async pass(): Promise<number | undefined> {
    await this.read();
    return await this.passWithStale();
  }

  async passWithStale(): Promise<number | undefined> {
    const result = await this.#reconcile(keyOf(this.#secret), new AbortController().signal, {
      takeShare: () => true,
      forceShare: () => {},
    });
    return result?.requeueAfterMs;
  }

  async read(): Promise<Secret> {
    this.#secret = await cluster.client.get(kubeResources.secret, keyOf(this.#secret));
    return this.#secret;
  }

  async write(metadata: object): Promise<void> {
    await cluster.client.patch(kubeResources.secret, keyOf(this.#secret), { type: "merge", body: { metadata } });
  }

  async isProtected(): Promise<boolean> {
    return (await this.read()).metadata.finalizers?.includes(protectionFinalizer) === true;
  }

  async remove(): Promise<void> {
    await cluster.client.delete(kubeResources.secret, keyOf(this.#secret));
  }
}

describe("the protection of a Secret", () => {
  it("is restored at most once a minute if another client removes it", async () => {
    const scene = await Scene.open("contested", [itemOf("web")]);
    await scene.pass();
    expect(await scene.isProtected()).toBe(true);
    await scene.write({ finalizers: null });
    await scene.clock.advance(10_000);
    expect(await scene.pass()).toBe(50_000);
    expect(await scene.isProtected()).toBe(false);
    await scene.clock.advance(50_000);
    expect(await scene.pass()).toBeUndefined();
    expect(await scene.isProtected()).toBe(true);
  });

  it("fails with a conflict, and succeeds in the next pass, if the cached Secret is stale", async () => {
    const scene = await Scene.open("race", [itemOf("web")]);
    await scene.write({ labels: { changed: "true" } });
    await expect(scene.passWithStale()).rejects.toMatchObject({ status: 409 });
    expect(await scene.isProtected()).toBe(false);
    await scene.pass();
    expect(await scene.isProtected()).toBe(true);
  });

  it("does not fail if the Secret was deleted", async () => {
    const scene = await Scene.open("gone", [itemOf("web")]);
    await scene.remove();
    expect(await scene.passWithStale()).toBeUndefined();
  });

  it("keeps the finalizers of other clients", async () => {
    const items = [itemOf("web")];
    const scene = await Scene.open("others", items);
    await scene.write({ finalizers: ["example.org/other"] });
    await scene.pass();
    expect((await scene.read()).metadata.finalizers).toEqual(["example.org/other", protectionFinalizer]);
    items.length = 0;
    await scene.pass();
    expect((await scene.read()).metadata.finalizers).toEqual(["example.org/other"]);
  });

  it("ends if the protection is switched off", async () => {
    const scene = await Scene.open("off", [itemOf("web")], false);
    await scene.pass();
    expect(await scene.isProtected()).toBe(false);
    await scene.write({ finalizers: [protectionFinalizer] });
    await scene.pass();
    expect(await scene.isProtected()).toBe(false);
  });

  it("records one Event for a deletion that waits, and names three DeployItems", async () => {
    const scene = await Scene.open("waiting", ["a", "b", "c", "d", "e"].map(itemOf));
    await scene.pass();
    await scene.remove();
    await scene.pass();
    await scene.pass();
    expect(scene.notes).toEqual([
      "The deletion waits because DeployItems need the object: a, b, c, and 2 more. Delete the Installations that own these DeployItems.",
    ]);
  });
});
