// Components of a small landscape, Installations of them, and a registry that comes and goes.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, connect, type Server } from "node:net";
import { join } from "node:path";
import type { UnstructuredObject } from "@landscaper/api";
import { blueprintResource, descriptorOf, digest, type TestComponent } from "@landscaper/components/testing";
import { packChart } from "@landscaper/helm-deployer-lib/testing";
import { stringify } from "yaml";
import { joinSockets } from "../../cluster/join-sockets.ts";
import { blueprintYaml, clusterImport, dataParameter, goTemplate } from "../installations/inline-installation.ts";

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

/** A blueprint that is used by others, a schema, and words, all of this version. */
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

/** Only refers to it. */
const middle: TestComponent = {
  name: "example.com/middle",
  version: "1.0.0",
  references: [{ name: "leaf", componentName: "example.com/leaf", version: "1.0.0" }],
};

/** Refers to both: its blueprint has a nested Installation, a schema and content of the leaf. */
export async function app(): Promise<TestComponent> {
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

/** What an Installation "root" names. */
export interface Wanted {
  readonly name?: string;
  readonly version?: string;
  readonly repository?: string;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** An Installation "root" of a component, by default of `app`. */
export function componentInstallation({
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

/** The default Context with these fields. */
export function contextObject(fields: Readonly<Record<string, unknown>>): UnstructuredObject {
  return { apiVersion, kind: "Context", metadata: { name: "default" }, ...fields };
}

/** The packed chart of one ConfigMap. */
export async function packMapChart(): Promise<Buffer> {
  const map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: app-map }\ndata: { from: component }\n";
  return await packChart({ "templates/map.yaml": map });
}

/** A blueprint whose helm item installs a chart that lies beside it, or where the access says. The core reads it too. */
export async function chartApp(access?: Readonly<Record<string, unknown>>): Promise<TestComponent> {
  const chart = {
    content: access === undefined ? await packMapChart() : "",
    type: "helmChart",
    mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
    ...(access === undefined ? {} : { access }),
  };
  const item = `deployItems:
{{- if not (getResourceContent "cd://resources/chart") }}{{ fail "the chart is empty" }}{{ end }}
- name: item
  type: landscaper.gardener.cloud/helm
  target: { import: cluster }
  config:
    apiVersion: helm.deployer.landscaper.gardener.cloud/v1alpha1
    kind: ProviderConfiguration
    name: app
    namespace: {{ .imports.namespace }}
    chart: { resourceRef: {{ getResourceKey "cd://resources/chart" }} }
`;
  const imports = [clusterImport, dataParameter("namespace", { type: "string" })];
  const blueprint = await blueprintResource({
    "blueprint.yaml": blueprintYaml({ imports, deployExecutions: goTemplate(item) }),
  });
  return { name: "example.com/chart-app", version: "1.0.0", resources: { blueprint, chart } };
}

/** An Installation of it, which needs the Target "cluster" and the DataObject "namespace". */
export function chartInstallation(repository?: string): UnstructuredObject {
  const imports = {
    data: [{ name: "namespace", dataRef: "namespace" }],
    targets: [{ name: "cluster", target: "cluster" }],
  };
  const place = repository === undefined ? {} : { repository };
  return componentInstallation({ name: "example.com/chart-app", version: "1.0.0", ...place, spec: { imports } });
}

/** All of them, the leaf in two versions. */
export async function landscape(): Promise<readonly TestComponent[]> {
  return [await leafOf("1.0.0"), await leafOf("1.1.0"), middle, await app(), await chartApp()];
}

/** Writes the components as a local repository into a folder. */
export function writeLocalRepository(folder: string, components: readonly TestComponent[]): void {
  const blobs = join(folder, "blobs");
  mkdirSync(blobs, { recursive: true });
  for (const [index, component] of components.entries()) {
    writeFileSync(join(folder, `${index}.yaml`), JSON.stringify(descriptorOf(component)));
    for (const resource of Object.values(component.resources ?? {})) {
      const content = typeof resource === "string" ? resource : resource.content;
      writeFileSync(join(blobs, digest(content)), content);
    }
  }
}

/** A port that leads to the registry once it is open. */
export function createDoor(host: string) {
  const [hostname = "", to = ""] = host.split(":");
  let server: Server | undefined;
  let port = 0;
  const listen = async (on: number): Promise<void> => {
    const made = createServer((socket) => {
      joinSockets(socket, connect(Number(to), hostname));
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
