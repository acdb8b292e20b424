// Installations whose blueprints are resources of components in a registry, with the services as processes (core.md §1.2 no. 31, 32, 46, 52).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type UnstructuredObject } from "@landscaper/api";
import { artifactOf, descriptorOf, pushComponents } from "@landscaper/components/testing";
import { describeUnless, programAbsence, waitFor } from "@landscaper/testkit";
import { bcryptHash } from "@landscaper/golang";
import { createRegistryClient, type RegistryClient } from "@landscaper/oci";
import { startScriptedRegistry, startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { stringify } from "yaml";
import {
  app,
  chartApp,
  chartInstallation,
  componentInstallation,
  contextObject,
  createDoor,
  landscape,
  packMapChart,
  type Wanted,
} from "../src/artifacts/component-landscape.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { dataObject } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { collectVisibleTexts } from "../src/namespaces/visible-texts.ts";
import { statusesOf, triedInstallation, user, sentinel, configure } from "../src/artifacts/component-service.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";

const describeWithRegistry = describeUnless(programAbsence("docker-registry"), describe);

for (const cluster of clustersUnderTest())
  describeWithRegistry(`components of a registry on ${cluster}`, () => {
    let environment: Environment;
    let open: TestRegistry;
    let guarded: TestRegistry;
    let client: RegistryClient;
    const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-components-"));

    beforeAll(async () => {
      const htpasswd = `${user}:${bcryptHash(sentinel.value, 4, Buffer.alloc(16, 7))}\n`;
      [open, guarded] = await Promise.all([startTestRegistry(), startTestRegistry({ htpasswd })]);
      client = createRegistryClient({ userAgent: "test" });
      const credential = { username: user, password: sentinel.value };
      const own = { session: client.session([{ host: guarded.host, path: "", credential }]) };
      const places = [
        { session: client.session([]), baseUrl: `http://${open.host}/team` },
        { ...own, baseUrl: `http://${guarded.host}/team` },
        { ...own, baseUrl: `http://${guarded.host}/service` },
      ];
      const components = await landscape();
      const artifacts = await Promise.all(components.map(async (component) => artifactOf(component)));
      for (const place of places) await pushComponents(place, ...components);
      environment = await startEnvironment({
        cluster,
        services: ["landscaper-core", "mock-deployer", "helm-deployer"],
        configs: { "landscaper-core": configure(folder, { host: guarded.host, components, artifacts }) },
      });
    });
    afterAll(async () => {
      await environment?.stop();
      await client?.close();
      await Promise.all([open?.stop(), guarded?.stop()]);
      rmSync(folder, { recursive: true, force: true });
    });

    async function enter(name: string, text = "abc"): Promise<TestNamespace> {
      const scope = await environment.namespace(name);
      await scope.apply(dataObject("text", text));
      return scope;
    }

    const openUrl = (): string => `http://${open.host}/team`;
    const whole = {
      app: { components: 3, words: "words of 1.0.0", note: "note" },
      leaf: { text: "abc", version: "1.0.0" },
    };

    it("give blueprint, nested blueprint, schema and content by the repository of the Installation", async () => {
      const scope = await enter("components-ref");
      await scope.apply(componentInstallation({ repository: openUrl() }));
      await scope.waitForPhase("root", "Succeeded");
      expect(await statusesOf(scope)).toEqual(whole);
      const nested = (await scope.list(resources.installation)).find(({ metadata }) => metadata.name !== "root");
      expect(nested?.spec.componentDescriptor).toEqual({
        ref: {
          repositoryContext: { type: "OCIRegistry", baseUrl: openUrl() },
          componentName: "example.com/leaf",
          version: "1.0.0",
        },
      });
      expect(nested?.spec.blueprint).toEqual({ ref: { resourceName: "blueprint" } });
      await scope.trigger("root");
      await scope.waitForPhase("root", "Succeeded");
      await scope.delete(resources.installation, "root");
      await scope.untilGone(resources.installation, "root");
    });

    it("are found by the repository of the Context, or by the resolvers of its OCM configuration", async () => {
      const scope = await enter("components-context");
      const repository = { type: "OCIRegistry", baseUrl: openUrl() };
      await scope.apply(contextObject({ repositoryContext: repository }), componentInstallation({}));
      await scope.waitForPhase("root", "Succeeded");
      expect(await statusesOf(scope)).toEqual(whole);

      const other = await enter("components-resolvers");
      const resolvers = [
        { repository: { type: "OCIRegistry", baseUrl: `http://${open.host}/empty` }, priority: 20 },
        { repository, prefix: "example.com" },
      ];
      const text = stringify({ type: "ocm.config.ocm.software", resolvers });
      await other.apply(
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "ocm" }, data: { ".ocmconfig": text } },
        contextObject({ ocmConfig: { name: "ocm" } }),
        componentInstallation({}),
      );
      await other.waitForPhase("root", "Succeeded");
      expect(await statusesOf(other)).toEqual(whole);
    });

    it("scenario 5: check imports against a schema of a component", async () => {
      const scope = await enter("components-schema", "UPPER");
      await scope.apply(componentInstallation({ repository: openUrl() }));
      const { status } = await scope.waitForPhase("root", "Failed");
      expect(status?.lastError).toMatchObject({ reason: "SchemaValidationFailed" });
      expect(status?.lastError?.message).toContain("imports.text");
      expect(await scope.list(resources.deployItem)).toEqual([]);
      await scope.apply(dataObject("text", "lower"));
      await scope.trigger("root");
      await scope.waitForPhase("root", "Succeeded");
    });

    it("may stand in the Installation: local content comes from the repository that the descriptor names", async () => {
      const scope = await enter("components-inline");
      const descriptor = descriptorOf(await app()) as { component: object };
      const repositoryContexts = [{ type: "OCIRegistry", baseUrl: openUrl() }];
      const inline = { ...descriptor, component: { ...descriptor.component, repositoryContexts } };
      await scope.apply(componentInstallation({ spec: { componentDescriptor: { inline } } }));
      await scope.waitForPhase("root", "Succeeded");
      expect(await statusesOf(scope)).toEqual(whole);
    });

    it("scenario 24: are replaced by the overwrites of the Context, and the Installation says so", async () => {
      const scope = await enter("components-overwrites");
      await scope.apply(
        {
          apiVersion,
          kind: "ComponentVersionOverwrites",
          metadata: { name: "newer" },
          overwrites: [
            { source: { componentName: "example.com/leaf", version: "1.0.0" }, substitution: { version: "1.1.0" } },
            { source: { componentName: "example.com/leaf" }, substitution: { version: "9.9.9" } },
          ],
        },
        contextObject({
          repositoryContext: { type: "OCIRegistry", baseUrl: openUrl() },
          componentVersionOverwrites: "newer",
        }),
        componentInstallation({}),
      );
      await scope.waitForPhase("root", "Succeeded");
      expect(await statusesOf(scope)).toEqual({
        app: { components: 3, words: "words of 1.1.0", note: "note" },
        leaf: { text: "abc", version: "1.1.0" },
      });
      const nested = (await scope.list(resources.installation)).find(({ metadata }) => metadata.name !== "root");
      expect(nested?.spec.componentDescriptor?.ref).toMatchObject({
        componentName: "example.com/leaf",
        version: "1.0.0",
      });
      const condition = nested?.status?.conditions?.find(({ type }) => type === "ComponentReferenceOverwrite");
      expect(condition).toMatchObject({
        status: "True",
        reason: "FoundOverwrite",
        message:
          "Component reference has been overwritten:\nRepositoryContext has not been overwritten\nComponentName has not been overwritten\n1.0.0 -> 1.1.0",
      });
      const root = await scope.get(resources.installation, "root");
      expect(root.status?.conditions?.map(({ type }) => type)).not.toContain("ComponentReferenceOverwrite");
    });

    it("are read with the pull secret of the Context, which nobody gets to see", async () => {
      const scope = await enter("components-secret");
      const repository = `http://${guarded.host}/team`;
      await scope.apply(componentInstallation({ repository }));
      const { status } = await scope.waitForPhase("root", "Failed");
      expect(status?.lastError).toMatchObject({
        reason: "RegistryUnauthorized",
        codes: ["ERR_UNAUTHORIZED"],
        message: `component example.com/app:1.0.0+build.1: ${repository.replace("/team", "/v2/team")}/component-descriptors/example.com/app/manifests/1.0.0.build-build.1: credentials are needed (401); add a pull secret for this registry to the Context`,
      });
      for (const [password, phase] of [
        ["wrong", "Failed"],
        [sentinel.value, "Succeeded"],
      ] as const) {
        const auth = Buffer.from(`${user}:${password}`).toString("base64");
        const config = Buffer.from(JSON.stringify({ auths: { [guarded.host]: { auth } } })).toString("base64");
        await scope.apply(
          { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, data: { ".dockerconfigjson": config } },
          contextObject({ registryPullSecrets: [{ name: "pull" }] }),
        );
        await scope.trigger("root");
        const ended = await scope.waitForPhase("root", phase);
        if (phase === "Failed")
          expect(ended.status?.lastError?.message).toContain(
            "the credentials (Secret pull: .dockerconfigjson) were refused (401)",
          );
      }
      expect(await statusesOf(scope)).toEqual(whole);
      for (const { where, text } of await collectVisibleTexts(environment, scope)) {
        expect([where, sentinel.findIn(text)]).toEqual([where, undefined]);
      }
    });

    it("are read with the docker config files of the service, for their own path only", async () => {
      const scope = await enter("components-service");
      await scope.apply(componentInstallation({ repository: `http://${guarded.host}/service` }));
      await scope.waitForPhase("root", "Succeeded");
      expect(await statusesOf(scope)).toEqual(whole);
      for (const { where, text } of await collectVisibleTexts(environment, scope)) {
        expect([where, sentinel.findIn(text)]).toEqual([where, undefined]);
      }
      const elsewhere = await enter("components-other-path");
      await elsewhere.apply(componentInstallation({ repository: `http://${guarded.host}/team` }));
      const { status } = await elsewhere.waitForPhase("root", "Failed");
      expect(status?.lastError).toMatchObject({ reason: "RegistryUnauthorized" });
    });

    it("give charts to helm items, by the repository and the credentials of the Context", async () => {
      const scope = await enter("components-chart");
      const auth = Buffer.from(`${user}:${sentinel.value}`).toString("base64");
      const config = Buffer.from(JSON.stringify({ auths: { [guarded.host]: { auth } } })).toString("base64");
      await scope.apply(
        { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, data: { ".dockerconfigjson": config } },
        contextObject({
          repositoryContext: { type: "OCIRegistry", baseUrl: `http://${guarded.host}/team` },
          registryPullSecrets: [{ name: "pull" }],
        }),
        scope.target("cluster"),
        dataObject("namespace", scope.targetNamespace),
        chartInstallation(),
      );
      await scope.waitForPhase("root", "Succeeded");
      expect((await scope.findOnTarget(kubeResources.configMap, "app-map"))?.data).toEqual({ from: "component" });
      for (const { where, text } of await collectVisibleTexts(environment, scope)) {
        expect([where, sentinel.findIn(text)]).toEqual([where, undefined]);
      }
    });

    it("give charts of Helm repositories to helm items, with the credentials of the Context, which nobody gets to see", async () => {
      const authHeader = `Basic ${Buffer.from(`${user}:${sentinel.value}`).toString("base64")}`;
      const archive = await packMapChart();
      const entries = { app: [{ version: "1.0.0", urls: ["app.tgz"] }] };
      const repository = await startScriptedRegistry(({ url, authorization }, response) => {
        if (authorization !== authHeader) response.writeHead(401).end();
        else response.end(url === "/index.yaml" ? JSON.stringify({ apiVersion: "v1", entries }) : archive);
      });
      try {
        const baseUrl = `http://${open.host}/charts`;
        const access = { type: "helm", helmRepository: repository.origin, helmChart: "app:1.0.0" };
        await pushComponents({ session: client.session([]), baseUrl }, await chartApp(access));
        const scope = await enter("components-helm-access");
        const contextWith = (auths: readonly object[]): UnstructuredObject =>
          contextObject({
            repositoryContext: { type: "OCIRegistry", baseUrl },
            configurations: { helmChartRepoCredentials: { auths } },
          });
        await scope.apply(
          contextWith([]),
          scope.target("cluster"),
          dataObject("namespace", scope.targetNamespace),
          chartInstallation(),
        );
        const { status } = await scope.waitForPhase("root", "Failed");
        expect(status?.lastError?.message).toContain(
          `component example.com/chart-app:1.0.0: resource "chart": ${repository.origin}/index.yaml: credentials are needed (401)`,
        );
        const auth = { url: repository.origin, secretRef: { name: "charts" } };
        const data = { authHeader: Buffer.from(authHeader).toString("base64") };
        const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "charts" }, data };
        await scope.apply(secret, contextWith([auth]));
        await scope.trigger("root");
        await scope.waitForPhase("root", "Succeeded");
        expect((await scope.findOnTarget(kubeResources.configMap, "app-map"))?.data).toEqual({ from: "component" });
        for (const { where, text } of await collectVisibleTexts(environment, scope)) {
          expect([where, sentinel.findIn(text)]).toEqual([where, undefined]);
        }
      } finally {
        await repository.stop();
      }
    });

    it("may lie in a packed archive below the folder of the service", async () => {
      const scope = await enter("components-packed");
      const repositoryContext = { type: "CommonTransportFormat", filePath: "packed.tgz" };
      await scope.apply(contextObject({ repositoryContext }), componentInstallation({}));
      await scope.waitForPhase("root", "Succeeded");
      expect(await statusesOf(scope)).toEqual(whole);
    });

    it("may lie in a folder of the service, which nothing leads out of", async () => {
      const scope = await enter("components-local");
      const local = (filePath: string): UnstructuredObject =>
        contextObject({ repositoryContext: { type: "local", filePath } });
      await scope.apply(local("team"), componentInstallation({}));
      await scope.waitForPhase("root", "Succeeded");
      expect(await statusesOf(scope)).toEqual(whole);
      for (const filePath of ["../", "link/root/team"]) {
        await scope.apply(local(filePath));
        await scope.trigger("root");
        const { status } = await scope.waitForPhase("root", "Failed");
        expect(status?.lastError).toMatchObject({
          reason: "InvalidComponent",
          message: `component example.com/app:1.0.0+build.1: repositoryContext: filePath: expected a path below the folder of local repositories, found ${JSON.stringify(filePath)}`,
        });
      }
    });

    it.each<readonly [string, Wanted, object]>([
      [
        "a version that is not there",
        { version: "9.9.9" },
        {
          reason: "ComponentNotFound",
          message: "component example.com/app:9.9.9: there is no such component version in HOST/team",
        },
      ],
      [
        "a component that has no such blueprint",
        { name: "example.com/middle", version: "1.0.0" },
        {
          reason: "ResolveBlueprint",
          message:
            'spec.blueprint.ref: component example.com/middle:1.0.0 has no resource "blueprint", it has no blueprint; correct resourceName',
        },
      ],
    ])("say what is wrong: %s", async (title, wanted, error) => {
      const scope = await enter(`components-${title.split(" ").at(-1)}`);
      await scope.apply(componentInstallation({ repository: openUrl(), ...wanted }));
      const { status } = await scope.waitForPhase("root", "Failed");
      const expected = JSON.parse(JSON.stringify(error).replaceAll("HOST", open.host)) as object;
      expect(status?.lastError).toMatchObject(expected);
    });

    it("say that no repository is known", async () => {
      const scope = await enter("components-nowhere");
      await scope.apply(componentInstallation({}));
      const { status } = await scope.waitForPhase("root", "Failed");
      expect(status?.lastError).toMatchObject({ reason: "RepositoryContextMissing" });
    });

    it("do not keep others waiting while a registry does not answer, and a change of the Context helps", async () => {
      const silent = await startScriptedRegistry(() => undefined);
      const scope = await enter("components-silent");
      const contextFor = (baseUrl: string): UnstructuredObject =>
        contextObject({ repositoryContext: { type: "OCIRegistry", baseUrl } });
      await scope.apply(contextFor(`${silent.origin}/team`), componentInstallation({}));
      await waitFor(() => silent.requests.length > 0);
      const other = await enter("components-neighbour");
      await other.apply(componentInstallation({ repository: openUrl() }));
      await other.waitForPhase("root", "Succeeded");
      expect((await scope.get(resources.installation, "root")).status?.jobIDFinished).toBeUndefined();
      await scope.apply(contextFor(openUrl()));
      await silent.stop();
      await scope.waitForPhase("root", "Succeeded");
    });

    it("are waited for while the registry is away, and others go on meanwhile", async () => {
      const door = createDoor(open.host);
      const port = await door.reserve();
      const scope = await enter("components-away");
      const repository = `http://127.0.0.1:${port}/team`;
      await scope.apply(componentInstallation({ repository }));
      const tried = await triedInstallation(scope);
      expect(tried?.status?.phase).toBe("Init");
      expect(tried?.status?.lastError?.message).toContain(
        `component example.com/app:1.0.0+build.1: http://127.0.0.1:${port}/v2/team/component-descriptors/example.com/app/manifests/1.0.0.build-build.1: connection refused; start the server, or correct the host of the URL`,
      );
      const other = await enter("components-other");
      await other.apply(componentInstallation({ repository: openUrl() }));
      await other.waitForPhase("root", "Succeeded");
      await door.open();
      try {
        await scope.waitForPhase("root", "Succeeded");
        await waitFor(async () => (await scope.list(resources.deployItem)).length === 2);
      } finally {
        await door.close();
      }
    });
  });
