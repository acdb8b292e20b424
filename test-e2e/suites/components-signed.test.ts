// Signed components of a registry, with the services as processes (docs/reference/components.md#verification and #pins).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, resources, type Installation } from "@landscaper/api";
import { parsePins } from "@landscaper/components";
import { createTestKey, pushComponents, type TestComponent, type TestPlace } from "@landscaper/components/testing";
import { bcryptHash } from "@landscaper/golang";
import { createRegistryClient, type RegistryClient } from "@landscaper/oci";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { describeUnless, programAbsence, waitForJob, writePhase } from "@landscaper/testkit";
import { landscape } from "../src/artifacts/component-landscape.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { dataObject } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { createRecognizer, createSentinel } from "../src/kits/sentinel.ts";
import { leafWith, pushSigned, signedInstallation, signerObjects, waiting } from "../src/artifacts/signed-landscape.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { collectVisibleTexts, findLeaks } from "../src/namespaces/visible-texts.ts";

const user = "robot";
const sentinel = createSentinel();
const [key, foreign] = [createTestKey(), createTestKey()];
/** A line of it in the middle, which no other key has. */
const findKey = createRecognizer(key.publicKey.split("\n")[3] ?? "");
const digestMismatch =
  /^component (?<component>\S+): descriptor: digest mismatch: the job was rendered with (?<before>sha256:[0-9a-f]{64}), the repository now has (?<after>sha256:[0-9a-f]{64})/;

const describeWithRegistry = describeUnless(programAbsence("docker-registry"), describe);
for (const cluster of clustersUnderTest())
  describeWithRegistry(`signed components of a registry on ${cluster}`, () => {
    let environment: Environment;
    let registry: TestRegistry;
    let client: RegistryClient;

    beforeAll(async () => {
      const htpasswd = `${user}:${bcryptHash(sentinel.value, 4, Buffer.alloc(16, 7))}\n`;
      registry = await startTestRegistry({ htpasswd });
      client = createRegistryClient({ userAgent: "test" });
      environment = await startEnvironment({
        cluster,
        services: ["landscaper-core", "mock-deployer", "helm-deployer"],
      });
    });
    afterAll(async () => {
      await environment?.stop();
      await client?.close();
      await registry?.stop();
    });

    /** A path of the registry for one test. */
    function placeOf(name: string): TestPlace {
      const credential = { username: user, password: sentinel.value };
      const session = client.session([{ host: registry.host, path: "", credential }]);
      return { session, baseUrl: `http://${registry.host}/${name}` };
    }

    async function enter(name: string): Promise<TestNamespace> {
      const scope = await environment.namespace(`signed-${name}`);
      const auth = Buffer.from(`${user}:${sentinel.value}`).toString("base64");
      const config = Buffer.from(JSON.stringify({ auths: { [registry.host]: { auth } } })).toString("base64");
      const data = { ".dockerconfigjson": config };
      await scope.apply({ apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, data });
      await scope.apply(...signerObjects(key, { registryPullSecrets: [{ name: "pull" }] }));
      return scope;
    }

    /** Neither the key nor the password of the pull secret is in what the services write, log or count. */
    async function expectNoSecret(scope: TestNamespace): Promise<void> {
      const texts = await collectVisibleTexts(environment, scope);
      expect(findLeaks(texts, (text) => sentinel.findIn(text) ?? findKey(text))).toEqual([]);
    }

    /** The subinstallation of that name, once its parent waits for it. */
    async function untilNested(scope: TestNamespace, name: string): Promise<Installation> {
      await scope.until(resources.installation, "root", (found) => found?.status?.phase === "Progressing");
      return await nestedOf(scope, name);
    }

    async function nestedOf(scope: TestNamespace, name: string): Promise<Installation> {
      const { status } = await scope.get(resources.installation, "root");
      const ref = status?.installationRefs?.find((each) => each.name === name)?.ref;
      // The core writes down the name of a subinstallation before it creates it.
      const nested = await scope.until(resources.installation, ref?.name ?? "", (found) => found !== undefined);
      if (nested === undefined) throw new Error(`there is no subinstallation ${name}`);
      return nested;
    }

    /** The item that the first subinstallation waits for; it has read its component then. */
    async function untilHeld(scope: TestNamespace): Promise<string> {
      const first = (await untilNested(scope, "first")).metadata.name ?? "";
      await scope.until(resources.execution, first, (found) => found?.status?.phase === "Progressing");
      const held = (await scope.deployItems(first)).get("held")?.metadata.name ?? "";
      await waitForJob(scope, held);
      return held;
    }

    /** Ends the item of the first subinstallation. */
    async function endFirst(scope: TestNamespace): Promise<void> {
      await writePhase(scope, await untilHeld(scope), "Succeeded");
    }

    async function wordsOf(scope: TestNamespace): Promise<unknown> {
      const { metadata } = await nestedOf(scope, "second");
      return (await scope.deployItems(metadata.name ?? "")).get("leaf")?.status?.providerStatus;
    }

    it("deploys what the signature covers, with its subinstallations", async () => {
      const [scope, place] = [await enter("whole"), placeOf("whole")];
      const root = await waiting();
      await pushSigned(place, key, root, await leafWith("signed"));
      await scope.apply(signedInstallation(root, place.baseUrl));
      await endFirst(scope);
      await scope.waitForPhase("root", "Succeeded");
      const { metadata } = await nestedOf(scope, "second");
      expect(parsePins(metadata.annotations?.[annotations.componentPins])?.isVerified).toBe(true);
      expect(await wordsOf(scope)).toEqual({ words: "signed" });
      await expectNoSecret(scope);
    });

    it("gives charts to helm items by a pin that names the repository and no credential", async () => {
      const [scope, place] = [await enter("chart"), placeOf("chart")];
      const root = (await landscape()).find(({ name }) => name === "example.com/chart-app");
      if (root === undefined) throw new Error("the landscape has no chart-app");
      await pushSigned(place, key, root);
      const imports = {
        data: [{ name: "namespace", dataRef: "namespace" }],
        targets: [{ name: "cluster", target: "cluster" }],
      };
      await scope.apply(
        scope.target("cluster"),
        dataObject("namespace", scope.targetNamespace),
        signedInstallation(root, place.baseUrl, { imports }),
      );
      await scope.waitForPhase("root", "Succeeded");
      const pins = (await scope.deployItems("root")).get("item")?.metadata.annotations?.[annotations.componentPins];
      expect(JSON.parse(pins ?? "null")).toMatchObject({
        component: "example.com/chart-app:1.0.0",
        repository: { type: "OCIRegistry", baseUrl: place.baseUrl },
      });
      await expectNoSecret(scope);
    });

    it.each<readonly [string, (place: TestPlace, root: TestComponent) => Promise<void>, RegExp]>([
      [
        "a referenced component was replaced after it was signed",
        async (place, root) => {
          await pushSigned(place, key, root, await leafWith("signed"));
          await pushComponents(place, await leafWith("tampered"));
        },
        /example\.com\/signed-leaf:1\.0\.0.*digest/,
      ],
      [
        "it is signed by another key",
        async (place, root) => await pushSigned(place, foreign, root, await leafWith("signed")),
        /signature "release": the signature is not of the given key/,
      ],
      [
        "it has no signature",
        async (place, root) => await pushComponents(place, root, await leafWith("signed")),
        /component example\.com\/waiting:1\.0\.0: signature "release" not found, it has none/,
      ],
    ])("deploys nothing when %s", async (title, push, message) => {
      const name = title.split(" ").at(-1) ?? "";
      const [scope, place] = [await enter(name), placeOf(name)];
      const root = await waiting();
      await push(place, root);
      await scope.apply(signedInstallation(root, place.baseUrl));
      const { status } = await scope.waitForPhase("root", "Failed");
      expect(status?.lastError).toMatchObject({
        reason: "VerifySignature",
        message: expect.stringMatching(message) as unknown,
      });
      expect((await scope.list(resources.installation)).length).toBe(1);
      expect(await scope.list(resources.execution)).toEqual([]);
      await expectNoSecret(scope);
    });

    it("shows nothing of a key that cannot be read", async () => {
      const scope = await enter("unreadable");
      const text = Buffer.from(`${sentinel.value} ${key.publicKey.split("\n")[3] ?? ""}`).toString("base64");
      const metadata = { name: "signer" };
      await scope.apply({ apiVersion: "v1", kind: "Secret", metadata, data: { "public.pem": text } });
      await scope.apply(signedInstallation(await waiting(), placeOf("unreadable").baseUrl));
      const { status } = await scope.waitForPhase("root", "Failed");
      expect(status?.lastError).toMatchObject({
        reason: "ExtractVerifyInfo",
        message: expect.stringContaining('entry "public.pem": the public key cannot be read') as unknown,
      });
      await expectNoSecret(scope);
    });

    it("ends the job with both digests when a tag moves before a subinstallation reads it, and the next job verifies again", async () => {
      const [scope, place] = [await enter("moved"), placeOf("moved")];
      const root = await waiting();
      await pushSigned(place, key, root, await leafWith("signed"));
      await scope.apply(signedInstallation(root, place.baseUrl));
      const second = await untilNested(scope, "second");
      const pins = parsePins(second.metadata.annotations?.[annotations.componentPins])?.components ?? {};
      // Its component refers to the leaf, too.
      await untilHeld(scope);
      await pushComponents(place, await leafWith("moved"));
      await endFirst(scope);
      await scope.waitForPhase("root", "Failed");
      const { status } = await scope.get(resources.installation, second.metadata.name ?? "");
      expect(status?.lastError?.reason).toBe("ComponentChanged");
      const found = digestMismatch.exec(status?.lastError?.message ?? "")?.groups;
      expect([found?.["component"], found?.["before"]]).toEqual([
        "example.com/signed-leaf:1.0.0",
        pins["example.com/signed-leaf:1.0.0"],
      ]);
      expect(found?.["after"]).not.toBe(found?.["before"]);
      await expectNoSecret(scope);

      await scope.trigger("root");
      const refused = await scope.waitForPhase("root", "Failed");
      expect(refused.status?.lastError?.reason).toBe("VerifySignature");

      await pushSigned(place, key, root, await leafWith("moved"));
      await scope.trigger("root");
      await endFirst(scope);
      await scope.waitForPhase("root", "Succeeded");
      expect(await wordsOf(scope)).toEqual({ words: "moved" });
    });
  });
