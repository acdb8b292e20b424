// Installations whose blueprints are resources of components in a registry, with the services as processes (core.md §1.2 no. 31, 32, 46, 52).
import { createServer, connect, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources, type Installation, type UnstructuredObject } from "@landscaper/api";
import { blueprintResource, descriptorOf, pushComponents, type TestComponent } from "@landscaper/components/testing";
import { waitFor } from "@landscaper/controller-runtime/testing";
import { bcryptHash } from "@landscaper/golang";
import { createRegistryClient, type RegistryClient } from "@landscaper/oci";
import {
  hasRegistryProgram,
  startScriptedRegistry,
  startTestRegistry,
  type TestRegistry,
} from "@landscaper/oci/testing";
import { stringify } from "yaml";
import { startEnvironment, type Environment } from "../src/environment.ts";
import { blueprintYaml, dataObject, dataParameter, goTemplate } from "../src/inline-installation.ts";
import { clustersUnderTest } from "../src/selected-clusters.ts";
import { createSentinel } from "../src/sentinel.ts";
import type { TestNamespace } from "../src/test-namespace.ts";
import { collectVisibleTexts } from "../src/visible-texts.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const leafSchema = "cd://componentReferences/middle/componentReferences/leaf/resources/schema";
const leafBlueprint = "cd://componentReferences/middle/componentReferences/leaf/resources/blueprint";

const mockTemplate = (name: string, config: string): string => `deployItems:
- name: ${name}
  type: landscaper.gardener.cloud/mock
  config:
    apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1
    kind: ProviderConfiguration
    providerStatus: ${config}
`;

async function leafOf(version: string): Promise<TestComponent> {
  const blueprint = await blueprintResource({
    "blueprint.yaml": blueprintYaml({
      imports: [dataParameter("text", { type: "string" })],
      deployExecutions: goTemplate(
        mockTemplate("leaf", `{ text: "{{ .imports.text }}", version: "{{ .cd.component.version }}" }`),
      ),
    }),
  });
  const schema = {
    content: JSON.stringify({ type: "string", pattern: "^[a-z]+$" }),
    type: "landscaper.gardener.cloud/jsonschema",
  };
  return { name: "example.com/leaf", version, resources: { blueprint, schema, words: `words of ${version}` } };
}

const middle: TestComponent = {
  name: "example.com/middle",
  version: "1.0.0",
  references: [{ name: "leaf", componentName: "example.com/leaf", version: "1.0.0" }],
};

async function app(): Promise<TestComponent> {
  const nested = {
    apiVersion,
    kind: "InstallationTemplate",
    name: "nested",
    blueprint: { ref: leafBlueprint },
    imports: { data: [{ name: "text", dataRef: "text" }] },
  };
  const words = "cd://componentReferences/middle/componentReferences/leaf/resources/words";
  const config = `{ components: {{ len .components.components }}, words: {{ getResourceContent "${words}" | quote }}, note: {{ index .cd.component.resources 1 "name" }} }`;
  const blueprint = await blueprintResource({
    "blueprint.yaml": blueprintYaml({
      imports: [dataParameter("text", { $ref: leafSchema })],
      subinstallations: [{ file: "folder/nested.yaml" }],
      deployExecutions: goTemplate(mockTemplate("app", config)),
    }),
    "folder/nested.yaml": stringify(nested),
  });
  return {
    name: "example.com/app",
    version: "1.0.0+build.1",
    resources: { blueprint, note: "a note" },
    references: [{ name: "middle", componentName: "example.com/middle", version: "1.0.0" }],
  };
}

interface Wanted {
  readonly name?: string;
  readonly version?: string;
  readonly repository?: string;
  readonly spec?: Readonly<Record<string, unknown>>;
}

function installation({
  name = "example.com/app",
  version = "1.0.0+build.1",
  repository,
  spec,
}: Wanted): UnstructuredObject {
  const context = repository === undefined ? {} : { repositoryContext: { type: "OCIRegistry", baseUrl: repository } };
  return {
    apiVersion,
    kind: "Installation",
    metadata: { name: "root", annotations: { "landscaper.gardener.cloud/operation": "reconcile" } },
    spec: {
      componentDescriptor: { ref: { ...context, componentName: name, version } },
      blueprint: { ref: { resourceName: "blueprint" } },
      imports: { data: [{ name: "text", dataRef: "text" }] },
      ...spec,
    },
  };
}

function contextObject(fields: Readonly<Record<string, unknown>>): UnstructuredObject {
  return { apiVersion, kind: "Context", metadata: { name: "default" }, ...fields };
}

async function statusesOf(scope: TestNamespace): Promise<Readonly<Record<string, unknown>>> {
  const items = await scope.list(resources.deployItem);
  return Object.fromEntries(
    items.map(({ metadata, status }) => [
      metadata.labels?.["execution.landscaper.gardener.cloud/name"] ?? metadata.name,
      status?.providerStatus,
    ]),
  );
}

/** The Installation once an attempt of its running job has failed. */
async function triedInstallation(scope: TestNamespace): Promise<Installation | undefined> {
  return await scope.waitFor(resources.installation, "root", (object) => object?.status?.lastError !== undefined);
}

const user = "robot";
const sentinel = createSentinel();
const hasRegistry = hasRegistryProgram();
const how = hasRegistry ? "" : " (skipped: the program docker-registry is missing)";
if (!hasRegistry && process.env["E2E_REGISTRY"] === "required")
  throw new Error("the program docker-registry is missing");

(hasRegistry ? describe : describe.skip).each(clustersUnderTest())(
  `components of a registry on %s${how}`,
  (cluster) => {
    let environment: Environment;
    let open: TestRegistry;
    let guarded: TestRegistry;
    let client: RegistryClient;

    beforeAll(async () => {
      const htpasswd = `${user}:${bcryptHash(sentinel.value, 4, Buffer.alloc(16, 7))}\n`;
      [open, guarded] = await Promise.all([startTestRegistry(), startTestRegistry({ htpasswd })]);
      client = createRegistryClient({ userAgent: "test" });
      const credential = { username: user, password: sentinel.value };
      const places = [
        { baseUrl: `http://${open.host}/team`, session: client.session([]) },
        {
          baseUrl: `http://${guarded.host}/team`,
          session: client.session([{ host: guarded.host, path: "", credential }]),
        },
      ];
      for (const place of places) {
        await pushComponents(place, await leafOf("1.0.0"), await leafOf("1.1.0"), middle, await app());
      }
      environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"] });
    }, 120_000);
    afterAll(async () => {
      await environment?.stop();
      await client?.close();
      await Promise.all([open?.stop(), guarded?.stop()]);
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
      await scope.apply(installation({ repository: openUrl() }));
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
      await scope.waitGone(resources.installation, "root");
    });

    it("are found by the repository of the Context, or by the resolvers of its OCM configuration", async () => {
      const scope = await enter("components-context");
      const repository = { type: "OCIRegistry", baseUrl: openUrl() };
      await scope.apply(contextObject({ repositoryContext: repository }), installation({}));
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
        installation({}),
      );
      await other.waitForPhase("root", "Succeeded");
      expect(await statusesOf(other)).toEqual(whole);
    });

    it("scenario 5: check imports against a schema of a component", async () => {
      const scope = await enter("components-schema", "UPPER");
      await scope.apply(installation({ repository: openUrl() }));
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
      await scope.apply(installation({ spec: { componentDescriptor: { inline } } }));
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
        installation({}),
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
      await scope.apply(installation({ repository }));
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
      await scope.apply(installation({ repository: openUrl(), ...wanted }));
      const { status } = await scope.waitForPhase("root", "Failed");
      const expected = JSON.parse(JSON.stringify(error).replaceAll("HOST", open.host)) as object;
      expect(status?.lastError).toMatchObject(expected);
    });

    it("say that no repository is known", async () => {
      const scope = await enter("components-nowhere");
      await scope.apply(installation({}));
      const { status } = await scope.waitForPhase("root", "Failed");
      expect(status?.lastError).toMatchObject({ reason: "RepositoryContextMissing" });
    });

    it("do not keep others waiting while a registry does not answer, and a change of the Context helps", async () => {
    const silent = await startScriptedRegistry(() => undefined);
    const scope = await enter("components-silent");
    const contextFor = (baseUrl: string): UnstructuredObject =>
      contextObject({ repositoryContext: { type: "OCIRegistry", baseUrl } });
    await scope.apply(contextFor(`${silent.origin}/team`), installation({}));
    await waitFor(() => silent.requests.length > 0);
    const other = await enter("components-neighbour");
    await other.apply(installation({ repository: openUrl() }));
    await other.waitForPhase("root", "Succeeded");
    expect((await scope.get(resources.installation, "root")).status?.phase).toBe("Init");
    await scope.apply(contextFor(openUrl()));
    await silent.stop();
    await scope.waitForPhase("root", "Succeeded");
  });

  it("are waited for while the registry is away, and others go on meanwhile", async () => {
      const door = createDoor(open.host);
      const port = await door.reserve();
      const scope = await enter("components-away");
      const repository = `http://127.0.0.1:${port}/team`;
      await scope.apply(installation({ repository }));
      const tried = await triedInstallation(scope);
      expect(tried?.status).toMatchObject({ phase: "Init", lastError: { reason: "RegistryUnreachable" } });
      expect(tried?.status?.lastError?.message).toContain(
        `component example.com/app:1.0.0+build.1: http://127.0.0.1:${port}/v2/team/component-descriptors/example.com/app/manifests/1.0.0.build-build.1: connect ECONNREFUSED`,
      );
      const other = await enter("components-other");
      await other.apply(installation({ repository: openUrl() }));
      await other.waitForPhase("root", "Succeeded");
      await door.open();
      try {
        await scope.waitForPhase("root", "Succeeded");
        await waitFor(async () => (await scope.list(resources.deployItem)).length === 2);
      } finally {
        await door.close();
      }
    });
  },
);

/** A port that leads to the registry once it is open. */
function createDoor(host: string) {
  const [hostname = "", to = ""] = host.split(":");
  let server: Server | undefined;
  let port = 0;
  const listen = async (on: number): Promise<void> => {
    const made = createServer((socket) => {
      const registry = connect(Number(to), hostname);
      socket.pipe(registry).pipe(socket);
      for (const end of [socket, registry]) {
        end.on("error", () => {
          socket.destroy();
          registry.destroy();
        });
      }
    });
    await new Promise<void>((resolve, reject) => {
      made.once("error", reject);
      made.listen(on, "127.0.0.1", resolve);
    });
    server = made;
    const address = made.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  };
  const close = async (): Promise<void> => {
    await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  };
  return {
    reserve: async () => {
      await listen(0);
      await close();
      return port;
    },
    open: async () => await listen(port),
    close,
  };
}
