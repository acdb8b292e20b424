// Verified signatures of components: where keys come from, and what becomes of Installations (docs/reference/components.md#verification).
import { afterAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  kubeResources,
  resources,
  type Context,
  type Installation,
  type InstallationTemplate,
} from "@landscaper/api";
import { parsePins } from "@landscaper/components";
import {
  blueprintResource,
  createTestKey,
  createTestSigner,
  type SigningKey,
  type TestComponent,
} from "@landscaper/components/testing";
import type { TestNamespace } from "@landscaper/testkit";
import { deployItems, filesystemOf, trigger } from "../../../test/objects.ts";
import { setUpCore } from "../../../test/set-up.ts";
import { createTestComponents } from "../../../test/signed-components.ts";

const [own, foreign, signer] = [createTestKey(), createTestKey(), createTestSigner()];
const files = createTestComponents();
afterAll(async () => files.close());

const leafOf = async (text: string): Promise<TestComponent> => ({
  name: "example.com/leaf",
  version: "1.0.0",
  resources: { blueprint: await blueprintResource(filesystemOf({ deploy: deployItems({ name: text }) })) },
});
const appOf = async (): Promise<TestComponent> => {
  const nested: InstallationTemplate = {
    apiVersion,
    kind: "InstallationTemplate",
    name: "nested",
    blueprint: { ref: "cd://componentReferences/leaf/resources/blueprint" },
  };
  const blueprint = { deploy: deployItems({ name: "item" }), subinstallations: [nested] };
  return {
    name: "example.com/app",
    version: "1.0.0",
    resources: { blueprint: await blueprintResource(filesystemOf(blueprint)) },
    references: [{ name: "leaf", componentName: "example.com/leaf", version: "1.0.0" }],
  };
};

const root = (spec: Partial<Installation["spec"]>, repositoryContext?: Record<string, unknown>): Installation => ({
  apiVersion,
  kind: "Installation",
  metadata: { name: "root", annotations: trigger },
  spec: {
    context: "signed",
    componentDescriptor: {
      ref: { componentName: "example.com/app", version: "1.0.0", ...(repositoryContext && { repositoryContext }) },
    },
    blueprint: { ref: { resourceName: "blueprint" } },
    ...spec,
  },
});

type Signatures = NonNullable<Context["verificationSignatures"]>;
const contextWith = (verificationSignatures: Signatures, more: Partial<Context> = {}): Context => ({
  apiVersion,
  kind: "Context",
  metadata: { name: "signed" },
  verificationSignatures,
  ...more,
});
const keyOf = (name: string, more: object = {}): Signatures => ({
  release: { publicKeySecretReference: { name, key: "key", ...more } },
});
const ofAuthority: Signatures = { release: { caCertificateSecretReference: { name: "authority", key: "pem" } } };
const secret = (name: string, data: Record<string, string>) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name },
  data: Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "utf8").toString("base64")]),
  ),
});
const verification = { signatureName: "release" };

async function failureOf(namespace: TestNamespace): Promise<object | undefined> {
  return (await namespace.untilPhase("root", "Failed")).status?.lastError;
}

describe("an Installation that demands a signature", () => {
  const setUp = setUpCore({ components: files.components, signatureSecretNamespaces: ["keys"] });

  it("runs what was verified when its job started, with its subinstallations", async () => {
    const namespace = await setUp.namespace("verified");
    const repository = await files.write("verified", [await appOf(), await leafOf("leaf")], own);
    await namespace.create(kubeResources.secret, secret("release", { key: own.publicKey }));
    await namespace.create(resources.context, contextWith(keyOf("release"), { repositoryContext: repository }));
    await namespace.create(resources.installation, root({ verification }));
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.list(resources.deployItem)).length).toBe(2);
    const pinned = (object: { readonly metadata: { readonly annotations?: Record<string, string> } }) =>
      parsePins(object.metadata.annotations?.[annotations.componentPins]);
    const nested = (await namespace.list(resources.installation)).find(({ metadata }) => metadata.name !== "root");
    const execution = await namespace.get(resources.execution, "root");
    const digests = pinned(execution)?.components ?? {};
    expect(pinned(execution)).toMatchObject({
      isVerified: true,
      blueprint: expect.stringMatching(/^sha256:/) as unknown,
    });
    expect(Object.keys(digests)).toEqual(["example.com/app:1.0.0", "example.com/leaf:1.0.0"]);
    expect(nested === undefined ? undefined : pinned(nested)).toMatchObject({
      isVerified: true,
      components: { "example.com/leaf:1.0.0": digests["example.com/leaf:1.0.0"] },
    });
  });

  it("takes keys of namespaces that the configuration lists", async () => {
    const keys = await setUp.namespace("keys");
    await keys.create(kubeResources.secret, secret("release", { only: own.publicKey }));
    const namespace = await setUp.namespace("listed");
    const repository = await files.write("listed", [await appOf(), await leafOf("leaf")], own);
    const signatures = { release: { publicKeySecretReference: { name: "release", namespace: "keys" } } };
    await namespace.create(resources.context, contextWith(signatures, { repositoryContext: repository }));
    await namespace.create(resources.installation, root({ verification }));
    await namespace.untilPhase("root", "Succeeded");
  });

  const field = 'Context "signed": verificationSignatures';
  it.each<readonly [string, Signatures, string]>([
    ["no entry", {}, `${field}: there is no entry "release", found none`],
    [
      "an empty entry",
      { release: {} },
      `${field}.release: expected publicKeySecretReference or caCertificateSecretReference`,
    ],
    [
      "a Secret that is not there",
      keyOf("absent"),
      `${field}.release.publicKeySecretReference: Secret NAMESPACE/absent was not found`,
    ],
    [
      "an entry of a Secret that is not there",
      keyOf("release", { key: "other" }),
      `${field}.release.publicKeySecretReference: Secret NAMESPACE/release has no entry "other"`,
    ],
    [
      "something else than PEM",
      keyOf("release", { key: "text" }),
      `${field}.release.publicKeySecretReference: Secret NAMESPACE/release: entry "text": the public key cannot be read; expected PEM: PUBLIC KEY, RSA PUBLIC KEY or CERTIFICATE`,
    ],
    [
      "a private key",
      keyOf("release", { key: "private" }),
      `${field}.release.publicKeySecretReference: Secret NAMESPACE/release: entry "private": the public key cannot be read; expected PEM: PUBLIC KEY, RSA PUBLIC KEY or CERTIFICATE`,
    ],
    [
      "an authority that is no certificate",
      { release: { caCertificateSecretReference: { name: "release", key: "key" } } },
      `${field}.release.caCertificateSecretReference: Secret NAMESPACE/release: entry "key": expected certificates as PEM, found none`,
    ],
    [
      "several entries and no name of one",
      { release: { publicKeySecretReference: { name: "release" } } },
      `${field}.release.publicKeySecretReference: Secret NAMESPACE/release: expected one entry, or its name in "key", found 3`,
    ],
    [
      "a namespace that the configuration does not list",
      keyOf("release", { namespace: "other" }),
      `${field}.release.publicKeySecretReference: namespace "other": Secrets of other namespaces are read only where signatureVerification.secretNamespaces of landscaper-core lists the namespace`,
    ],
  ])("is refused, and nothing of a key is told, where its Context names %s", async (title, signatures, message) => {
    const name = title.replaceAll(" ", "-").toLowerCase();
    const namespace = await setUp.namespace(name);
    const data = { key: own.publicKey, text: "sentinel-text", private: own.privateKey };
    await namespace.create(kubeResources.secret, secret("release", data));
    await namespace.create(resources.context, contextWith(signatures));
    await namespace.create(resources.installation, root({ verification }, { type: "local", filePath: "none" }));
    expect(await failureOf(namespace)).toMatchObject({
      reason: "ExtractVerifyInfo",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      message: `${message.replace("NAMESPACE", name)}; correct it and trigger the installation again`,
    });
    expect(JSON.stringify(setUp.core.log)).not.toContain("sentinel-text");
  });

  it("takes a chain of certificates of the authority that its Context names", async () => {
    const namespace = await setUp.namespace("chain");
    const repository = await files.write("chain", [await appOf(), await leafOf("leaf")], signer);
    await namespace.create(kubeResources.secret, secret("authority", { pem: signer.authority }));
    await namespace.create(resources.context, contextWith(ofAuthority, { repositoryContext: repository }));
    await namespace.create(resources.installation, root({ verification }));
    await namespace.untilPhase("root", "Succeeded");
  });

  it.each<readonly [string, SigningKey, RegExp]>([
    [
      "a certificate of another authority of the same name",
      createTestSigner(),
      /^component example\.com\/app:1\.0\.0: signature "release": signed by unknown authority: certificate "O=example,CN=release" of issuer "O=example,CN=middle"; nothing of it is deployed/,
    ],
    [
      "a chain with a gap",
      { ...signer, certificates: signer.certificates.split(/(?<=-----END CERTIFICATE-----\n)/)[0] ?? "" },
      /signed by unknown authority: certificate "O=example,CN=release" of issuer "O=example,CN=middle"; nothing/,
    ],
    [
      "no certificate, as its signature is of a key alone",
      own,
      /signature "release": it brings no certificate; give the public key of its signer; nothing/,
    ],
  ])("is refused where its Context names an authority, and the component has %s", async (title, key, message) => {
    const name = title.replaceAll(/[ ,]+/g, "-").toLowerCase();
    const namespace = await setUp.namespace(name);
    const repositoryContext = await files.write(name, [await appOf(), await leafOf("leaf")], key);
    await namespace.create(kubeResources.secret, secret("authority", { pem: signer.authority }));
    await namespace.create(resources.context, contextWith(ofAuthority, { repositoryContext }));
    await namespace.create(resources.installation, root({ verification }));
    const failure = await failureOf(namespace);
    expect(failure).toMatchObject({ reason: "VerifySignature", message: expect.stringMatching(message) as unknown });
    expect(await namespace.list(resources.execution)).toEqual([]);
  });

  it.each<readonly [string, () => Promise<TestComponent[]>, SigningKey | undefined, RegExp]>([
    [
      "no signature",
      async () => [await appOf(), await leafOf("leaf")],
      undefined,
      /^component example\.com\/app:1\.0\.0: signature "release" not found, it has none/,
    ],
    [
      "a signature of another key",
      async () => [await appOf(), await leafOf("leaf")],
      foreign,
      /signature "release": the signature is not of the given key/,
    ],
  ])("is refused, and nothing is written, when its component has %s", async (...[title, components, key, message]) => {
    const name = title.replaceAll(" ", "-").toLowerCase();
    const namespace = await setUp.namespace(name);
    const repositoryContext = await files.write(name, await components(), key);
    await namespace.create(kubeResources.secret, secret("release", { key: own.publicKey }));
    await namespace.create(resources.context, contextWith(keyOf("release"), { repositoryContext }));
    await namespace.create(resources.installation, root({ verification }));
    expect(await failureOf(namespace)).toMatchObject({
      reason: "VerifySignature",
      message: expect.stringMatching(message) as unknown,
    });
    expect(await namespace.list(resources.execution)).toEqual([]);
  });
});

describe("an Installation under the policy Enforce", () => {
  const setUp = setUpCore({ components: files.components, signaturePolicy: "Enforce" });

  it("is refused without a demand for a signature, and its inline descriptor is verified as any other", async () => {
    const namespace = await setUp.namespace("enforced");
    await namespace.create(resources.context, contextWith({}));
    await namespace.create(resources.installation, root({}, { type: "local", filePath: "none" }));
    expect(await failureOf(namespace)).toMatchObject({ reason: "VerificationRequired" });
    const inline = { meta: { schemaVersion: "v2" }, component: { name: "example.com/own", version: "1.0.0" } };
    const inlineBlueprint = { inline: { filesystem: filesystemOf({}) } };
    const other = await setUp.namespace("inline");
    await other.create(kubeResources.secret, secret("release", { key: own.publicKey }));
    await other.create(resources.context, contextWith(keyOf("release")));
    const spec = { verification, componentDescriptor: { inline }, blueprint: inlineBlueprint };
    await other.create(resources.installation, root(spec));
    expect(await failureOf(other)).toMatchObject({
      reason: "VerifySignature",
      message: expect.stringContaining(
        'component example.com/own:1.0.0: signature "release" not found, it has none',
      ) as unknown,
    });
  });
});
