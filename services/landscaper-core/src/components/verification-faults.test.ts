// Verified components whose registry fails while their content is hashed (docs/reference/components.md#verification).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, kubeResources, resources, type Context, type Installation } from "@landscaper/api";
import { createComponentSource } from "@landscaper/components";
import {
  artifactOf,
  blueprintResource,
  createTestKey,
  descriptorOf,
  digest,
  startArtifactRegistry,
  type ArtifactRegistry,
} from "@landscaper/components/testing";
import { createRegistryClient } from "@landscaper/oci";
import { createSignature, normalise, parseDescriptor } from "@landscaper/ocm";
import { deployItems, filesystemOf, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const registries = createRegistryClient({ userAgent: "test", retries: 0 });
// Without a cache on disk, as for blobs that are too large for it.
const setUp = setUpCore({ components: { source: createComponentSource({ registries }) } });
const key = createTestKey();
const image = "an image that nothing of the job uses ".repeat(2000);
let registry: ArtifactRegistry;
beforeAll(async () => {
  const blueprint = await blueprintResource(filesystemOf({ deploy: deployItems({ name: "item" }) }));
  const app = { name: "example.com/app", version: "1.0.0", resources: { blueprint, image } };
  const document = descriptorOf(app);
  const normalisationAlgorithm = "jsonNormalisation/v3";
  const signature = createSignature({
    name: "release",
    text: normalise(parseDescriptor(document, "test"), normalisationAlgorithm),
    normalisationAlgorithm,
    hashAlgorithm: "SHA-256",
    algorithm: "RSASSA-PKCS1-V1_5",
    privateKey: key.privateKey,
    where: "test",
  });
  registry = await startArtifactRegistry([
    await artifactOf(app, { descriptor: { ...document, signatures: [signature] } }),
  ]);
});
afterAll(async () => {
  await registry?.stop();
  await registries.close();
});

const imageRequests = (): number => registry.requests.filter(({ url }) => url.endsWith(digest(image))).length;

describe("an Installation whose component is verified while the registry goes away", () => {
  it("waits with the resource and the host, and what was hashed once is not fetched by the next job", async () => {
    let isAway = true;
    registry.setInterference(({ url }, response) => {
      if (!isAway || !url.endsWith(digest(image))) return false;
      response.writeHead(200, { "content-length": image.length });
      response.write(image.slice(0, 40_000), () => response.destroy());
      return true;
    });
    const namespace = await setUp.namespace("verified");
    const data = { key: Buffer.from(key.publicKey, "utf8").toString("base64") };
    const metadata = { name: "signer" };
    await namespace.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
    const context: Context = {
      apiVersion,
      kind: "Context",
      metadata: { name: "signed" },
      repositoryContext: registry.context,
      verificationSignatures: { release: { publicKeySecretReference: { name: "signer" } } },
    };
    await namespace.create(resources.context, context);
    const root: Installation = {
      apiVersion,
      kind: "Installation",
      metadata: { name: "root", annotations: trigger },
      spec: {
        context: "signed",
        componentDescriptor: { ref: { componentName: "example.com/app", version: "1.0.0" } },
        blueprint: { ref: { resourceName: "blueprint" } },
        verification: { signatureName: "release" },
      },
    };
    await namespace.create(resources.installation, root);
    const isWaiting = (found: Installation | undefined): boolean => found?.status?.lastError !== undefined;
    const waiting = await namespace.until(resources.installation, "root", isWaiting);
    const { phase, lastError } = waiting?.status ?? {};
    expect([phase, lastError?.reason, lastError?.message]).toEqual([
      "Init",
      "RegistryUnreachable",
      expect.stringContaining(
        `component example.com/app:1.0.0: resource "image": ${registry.origin}/v2/team/component-descriptors/example.com/app/blobs/${digest(image)}: `,
      ),
    ]);
    isAway = false;
    await namespace.untilPhase("root", "Succeeded");
    const before = imageRequests();
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.until(
      resources.installation,
      "root",
      (found) =>
        found?.status?.phase === "Succeeded" &&
        found.status.jobID !== waiting?.status?.jobID &&
        found.status.jobIDFinished === found.status.jobID,
    );
    expect(imageRequests()).toBe(before);
  });
});
