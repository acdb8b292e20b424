// Trees of subinstallations whose blueprints are resources of components in a registry (docs/reference/components.md#using-a-component).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, resources, type Installation } from "@landscaper/api";
import { blueprintResource, pushComponents, type TestComponent } from "@landscaper/components/testing";
import { createRegistryClient } from "@landscaper/oci";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { stringify } from "yaml";
import { componentInstallation, contextObject } from "../src/artifacts/component-landscape.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { blueprintYaml, dataObject, dataParameter, goTemplate } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const text = { type: "string" };
type Fields = Readonly<Record<string, unknown>>;

/** Exports `before` and its own letter, by way of a deploy item. */
async function letterComponent(version = "1.0.0"): Promise<TestComponent> {
  const item = `deployItems:
- name: item
  type: landscaper.gardener.cloud/mock
  config:
    apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1
    kind: ProviderConfiguration
    providerStatus: { version: "{{ .cd.component.version }}" }
    export: { track: "{{ .imports.before }}{{ .imports.letter }}" }
`;
  const blueprint = await blueprintResource({
    "blueprint.yaml": blueprintYaml({
      imports: [dataParameter("before", text), dataParameter("letter", text)],
      exports: [dataParameter("track", text)],
      deployExecutions: goTemplate(item),
      exportExecutions: goTemplate('exports: { track: "{{ .deployitems.item.track }}" }\n'),
    }),
  });
  return { name: "example.com/letter", version, resources: { blueprint } };
}

interface Link {
  readonly name: string;
  /** The links that it comes after. */
  readonly after?: readonly string[];
  /** spiff; default: the track of the link before, if there is one. */
  readonly before?: string;
}

/** A component whose blueprint has a subinstallation for each link, all from the component `letter`. */
async function chainComponent(version: string, last: string, links: readonly Link[]): Promise<TestComponent> {
  const templates = links.map(({ name, after = [], before = after[0] ?? '""' }): Fields => ({
    apiVersion,
    kind: "InstallationTemplate",
    name,
    blueprint: { ref: "cd://componentReferences/letter/resources/blueprint" },
    imports: { data: after.map((one) => ({ name: one, dataRef: `track-${one}` })) },
    importDataMappings: { before: `(( ${before} ))`, letter: name.toUpperCase() },
    exports: { data: [{ name: "track", dataRef: `track-${name}` }] },
  }));
  const blueprint = await blueprintResource({
    "blueprint.yaml": blueprintYaml({
      exports: [dataParameter("track", text)],
      subinstallations: links.map(({ name }) => ({ file: `${name}.yaml` })),
      exportExecutions: goTemplate(`exports: { track: "{{ index .dataobjects "track-${last}" }}" }\n`),
    }),
    ...Object.fromEntries(templates.map((template) => [`${String(template["name"])}.yaml`, stringify(template)])),
  });
  const references = [{ name: "letter", componentName: "example.com/letter", version: "1.0.0" }];
  return { name: "example.com/chain", version, resources: { blueprint }, references };
}

/** `foo` is optional, and with it `bar` must be given; a subinstallation has both. */
async function conditional(): Promise<TestComponent> {
  const optional = { ...dataParameter("foo", text), required: false, imports: [dataParameter("bar", text)] };
  const template = {
    apiVersion,
    kind: "InstallationTemplate",
    name: "sub",
    blueprint: { ref: "cd://resources/inner" },
    imports: {
      data: [
        { name: "foo", dataRef: "foo" },
        { name: "bar", dataRef: "bar" },
      ],
    },
  };
  const blueprint = await blueprintResource({
    "blueprint.yaml": blueprintYaml({ imports: [optional], subinstallations: [{ file: "sub.yaml" }] }),
    "sub.yaml": stringify(template),
  });
  const inner = await blueprintResource({ "blueprint.yaml": blueprintYaml({ imports: [optional] }) });
  return { name: "example.com/conditional", version: "1.0.0", resources: { blueprint, inner } };
}

/** Has the letter twice: by a reference of its own, and by one of another component. */
async function outer(): Promise<readonly TestComponent[]> {
  const letter = { name: "letter", componentName: "example.com/letter", version: "1.0.0" };
  const middle: TestComponent = { name: "example.com/middle", version: "1.0.0", references: [letter] };
  const template = (name: string, path: string): string =>
    stringify({
      apiVersion,
      kind: "InstallationTemplate",
      name,
      blueprint: { ref: `cd://${path}/resources/blueprint` },
      importDataMappings: { before: "", letter: name },
    });
  const blueprint = await blueprintResource({
    "blueprint.yaml": blueprintYaml({ subinstallations: [{ file: "direct.yaml" }, { file: "indirect.yaml" }] }),
    "direct.yaml": template("direct", "componentReferences/letter"),
    "indirect.yaml": template("indirect", "componentReferences/middle/componentReferences/letter"),
  });
  const references = [letter, { name: "middle", componentName: "example.com/middle", version: "1.0.0" }];
  return [middle, { name: "example.com/outer", version: "1.0.0", resources: { blueprint }, references }];
}

async function subinstallations(scope: TestNamespace): Promise<Map<string, Installation>> {
  const all = await scope.list(resources.installation);
  return new Map(
    all.flatMap((one) => {
      const name = one.metadata.annotations?.[annotations.subinstallationName];
      return name === undefined ? [] : [[name, one] as const];
    }),
  );
}

for (const cluster of clustersUnderTest())
  describeUnless(programAbsence("docker-registry"), describe)(`trees of components on ${cluster}`, () => {
    let environment: Environment;
    let registry: TestRegistry;
    let repositoryContext: { readonly type: string; readonly baseUrl: string };
    beforeAll(async () => {
      registry = await startTestRegistry();
      repositoryContext = { type: "OCIRegistry", baseUrl: `http://${registry.host}/trees` };
      const client = createRegistryClient({ userAgent: "test" });
      const all = [
        await letterComponent(),
        await letterComponent("1.2.3"),
        await chainComponent("0.1.0", "a", [{ name: "a" }]),
        await chainComponent("0.2.0", "b", [{ name: "b", after: ["a"] }, { name: "a" }]),
        await chainComponent("0.3.0", "c", [{ name: "a" }, { name: "c", after: ["a"] }, { name: "d", after: ["c"] }]),
        await chainComponent("1.0.0", "d", [
          { name: "d", after: ["c"] },
          { name: "a" },
          { name: "c", after: ["b"] },
          { name: "b", after: ["a"] },
        ]),
        await chainComponent("1.1.0", "d", [
          { name: "d", after: ["a", "b", "c"], before: '"(" a "|" b "|" c ")"' },
          { name: "a" },
          { name: "b" },
          { name: "c" },
        ]),
        await conditional(),
        ...(await outer()),
      ];
      await pushComponents({ session: client.session([]), baseUrl: repositoryContext.baseUrl }, ...all);
      await client.close();
      environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"] });
    });
    afterAll(async () => {
      await environment?.stop();
      await registry?.stop();
    });

    async function enter(name: string, context: Fields = {}): Promise<TestNamespace> {
      const scope = await environment.namespace(name);
      await scope.apply(contextObject({ repositoryContext, ...context }));
      return scope;
    }

    /** The Installation "root" of the component, after a job. */
    async function run(
      scope: TestNamespace,
      component: string,
      { phase = "Succeeded", ...spec }: Fields & { readonly phase?: "Succeeded" | "Failed" },
    ): Promise<Installation> {
      const [name = "", version = ""] = component.split(":");
      await scope.apply(componentInstallation({ name, version, spec }));
      return await scope.waitForPhase("root", phase);
    }

    const exported = { imports: {}, exports: { data: [{ name: "track", dataRef: "track" }] } };
    const trackIn = async (scope: TestNamespace): Promise<unknown> =>
      (await scope.get(resources.dataObject, "track")).data;

    it("scenario 8: run in the order of their data, and in another one after an update", async () => {
      const scope = await enter("trees-chain");
      await run(scope, "example.com/chain:1.0.0", exported);
      expect(await trackIn(scope)).toBe("ABCD");
      await run(scope, "example.com/chain:1.1.0", exported);
      expect(await trackIn(scope)).toBe("(A|B|C)D");
      const subs = await subinstallations(scope);
      const started = subs.get("d")?.status?.transitionTimes?.initTime ?? "";
      for (const before of ["a", "b", "c"]) {
        expect(started >= (subs.get(before)?.status?.transitionTimes?.finishedTime ?? "x")).toBe(true);
      }
    });

    it("scenario 10: come and go with versions of their component", async () => {
      const scope = await enter("trees-versions");
      for (const [version, track, names] of [
        ["0.2.0", "AB", ["a", "b"]],
        ["0.3.0", "AC", ["a", "c", "d"]],
        ["0.1.0", "A", ["a"]],
      ] as const) {
        await run(scope, `example.com/chain:${version}`, exported);
        expect(await trackIn(scope)).toBe(track);
        expect([...(await subinstallations(scope)).keys()].toSorted()).toEqual(names);
        expect(await scope.list(resources.deployItem)).toHaveLength(names.length);
      }
    });

    it("scenario 13: get the imports that are given, and conditional ones with them", async () => {
      const scope = await enter("trees-conditional");
      const given = (...names: readonly string[]): Fields => ({
        imports: { data: names.map((name) => ({ name, dataRef: name })) },
      });
      const importsOfSub = async (): Promise<readonly (string | undefined)[]> =>
        (await subinstallations(scope)).get("sub")?.spec.imports?.data?.map(({ name }) => name) ?? [];
      await scope.apply(dataObject("foo", "f"), dataObject("bar", "b"));
      const component = "example.com/conditional:1.0.0";
      await run(scope, component, given());
      expect(await importsOfSub()).toEqual([]);
      const failed = await run(scope, component, { ...given("foo"), phase: "Failed" });
      expect(failed.status?.lastError?.message).toContain("imports.bar: the blueprint requires this data import");
      await run(scope, component, given("foo", "bar"));
      expect(await importsOfSub()).toEqual(["foo", "bar"]);
    });

    it("scenario 24: are of the version that overwrites give, whichever way leads to them", async () => {
      const scope = await enter("trees-overwrites", { componentVersionOverwrites: "newer" });
      await scope.apply({
        apiVersion,
        kind: "ComponentVersionOverwrites",
        metadata: { name: "newer" },
        overwrites: [
          { source: { componentName: "example.com/letter", version: "1.0.0" }, substitution: { version: "1.2.3" } },
          { source: { componentName: "example.com/letter" }, substitution: { version: "9.9.9" } },
        ],
      });
      await run(scope, "example.com/outer:1.0.0", { imports: {} });
      const items = await scope.list(resources.deployItem);
      expect(items.map(({ status }) => status?.providerStatus)).toEqual([{ version: "1.2.3" }, { version: "1.2.3" }]);
      const subs = await subinstallations(scope);
      for (const name of ["direct", "indirect"]) {
        const { spec, status } = subs.get(name) ?? {};
        expect(spec?.componentDescriptor?.ref).toMatchObject({ componentName: "example.com/letter", version: "1.0.0" });
        const condition = status?.conditions?.find(({ type }) => type === "ComponentReferenceOverwrite");
        expect(condition?.status).toBe("True");
      }
    });
  });
