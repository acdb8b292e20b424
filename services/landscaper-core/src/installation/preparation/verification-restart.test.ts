// A core that takes over a job whose component was verified by another one (docs/reference/components.md#pins).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, apiVersion, kubeResources, resources, type Installation } from "@landscaper/api";
import { parsePins } from "@landscaper/components";
import { blueprintResource, createTestKey, type TestComponent } from "@landscaper/components/testing";
import {
  playedType,
  startEmbeddedCluster,
  waitForJob,
  writePhase,
  type EmbeddedCluster,
  type TestNamespace,
} from "@landscaper/testkit";
import { startTestCore } from "../../../test/core.ts";
import { deployItems, filesystemOf, stringParameter, trigger } from "../../../test/objects.ts";
import { createTestComponents } from "../../../test/signed-components.ts";

const key = createTestKey();
const files = createTestComponents();
let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
});
afterAll(async () => {
  await cluster.stop();
  await files.close();
});

/** Its export has the content of a component that it refers to. */
async function componentsWith(words: string): Promise<readonly TestComponent[]> {
  const blueprint = {
    deploy: deployItems({ name: "item", type: playedType }),
    exports: [stringParameter("words")],
    export: 'exports: { words: {{ getResourceContent "cd://componentReferences/leaf/resources/words" }} }\n',
  };
  const leaf = { name: "example.com/leaf", version: "1.0.0" };
  return [
    {
      name: "example.com/app",
      version: "1.0.0",
      resources: { blueprint: await blueprintResource(filesystemOf(blueprint)) },
      references: [{ name: "leaf", componentName: leaf.name, version: leaf.version }],
    },
    { ...leaf, resources: { words } },
  ];
}

/** A job of one core that waits for its deploy item; `takeOver` ends the core and gives the job to another one. */
async function startJob(name: string): Promise<{ namespace: TestNamespace; takeOver: () => Promise<Installation> }> {
  const first = startTestCore(cluster.connect("first"), { components: files.components });
  const namespace = await cluster.createNamespace(name);
  const repositoryContext = await files.write(name, await componentsWith("signed"), key);
  const data = { key: Buffer.from(key.publicKey, "utf8").toString("base64") };
  await namespace.create(kubeResources.secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "signer" },
    data,
  });
  await namespace.create(resources.context, {
    apiVersion,
    kind: "Context",
    metadata: { name: "signed" },
    repositoryContext,
    verificationSignatures: { release: { publicKeySecretReference: { name: "signer" } } },
  });
  await namespace.create(resources.installation, {
    apiVersion,
    kind: "Installation",
    metadata: { name: "root", annotations: trigger },
    spec: {
      context: "signed",
      componentDescriptor: { ref: { componentName: "example.com/app", version: "1.0.0" } },
      blueprint: { ref: { resourceName: "blueprint" } },
      verification: { signatureName: "release" },
      exports: { data: [{ name: "words", dataRef: "words" }] },
    },
  });
  await namespace.untilWorking("root");
  const item = await untilItem(namespace);
  await first.kill();
  return {
    namespace,
    takeOver: async () => {
      const second = startTestCore(cluster.connect("second"), { components: files.components });
      await writePhase(namespace, item, "Succeeded");
      const ended = await namespace.until(resources.installation, "root", (found) =>
        ["Succeeded", "Failed"].includes(found?.status?.phase ?? ""),
      );
      await second.stop();
      if (ended === undefined) throw new Error("the Installation is gone");
      return ended;
    },
  };
}

async function untilItem(namespace: TestNamespace): Promise<string> {
  const execution = await namespace.until(
    resources.execution,
    "root",
    (found) => found?.status?.phase === "Progressing",
  );
  expect(execution?.status?.phase).toBe("Progressing");
  const [item] = await namespace.list(resources.deployItem);
  const { metadata } = await waitForJob(namespace, item?.metadata.name ?? "");
  return metadata.name ?? "";
}

describe("a core that completes the job of an Installation whose component another core has verified", () => {
  it("§4.62: does not verify again: it needs no key", async () => {
    const { namespace, takeOver } = await startJob("without-key");
    await namespace.delete(kubeResources.secret, "signer");
    const { status } = await takeOver();
    expect([status?.phase, status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect((await namespace.get(resources.dataObject, "words")).data).toBe("signed");
  });

  it("ends the job with both digests when something else is there than what was verified", async () => {
    const { namespace, takeOver } = await startJob("changed");
    const { metadata } = await namespace.get(resources.execution, "root");
    const pinned = parsePins(metadata.annotations?.[annotations.componentPins])?.components ?? {};
    await files.write("changed", await componentsWith("something else"), key);
    const { status } = await takeOver();
    expect(status?.phase).toBe("Failed");
    expect(status?.lastError?.reason).toBe("ComponentChanged");
    const [, component = "", before, after] =
      /^component (\S+): descriptor: digest mismatch: the job was rendered with (sha256:[0-9a-f]{64}), the repository now has (sha256:[0-9a-f]{64})/.exec(
        status?.lastError?.message ?? "",
      ) ?? [];
    // The descriptor of the root has the digest of the other one.
    expect(["example.com/app:1.0.0", before]).toEqual([component, pinned[component]]);
    expect(after).toMatch(/^sha256:/);
    expect(after).not.toBe(before);
  });
});
