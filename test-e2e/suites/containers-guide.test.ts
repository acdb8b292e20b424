// docs/guide/containers.md: its programs and configurations as they stand there, on a real node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type UnstructuredObject } from "@landscaper/api";
import { describeUnless } from "@landscaper/testkit";
import {
  hostNamespace,
  programImage,
  programsAbsence,
  startContainerEnvironment,
  toolsImage,
  type ContainerEnvironment,
} from "../containers/container-environment.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { clusterImport, inlineInstallation } from "../src/installations/inline-installation.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const guide = readGuideExamples("containers.md");
const page = readFileSync(join(import.meta.dirname, "../../docs/guide/containers.md"), "utf8");
const blocks = page.matchAll(/<!-- program: ([\w.-]+) -->\n```\w+\n([^]*?)```/g);
const programs = Object.fromEntries([...blocks].map(([, name = "", text = ""]) => [name, text]));

it("the guide to containers has no example that nobody runs", () => {
  expect(guide.names).toEqual(["script", "count", "record"]);
  expect(Object.keys(programs)).toEqual(["count.mjs", "record.mjs"]);
});

describeUnless(programsAbsence(), describe)("the guide to containers on a real node", () => {
  let containers: ContainerEnvironment;

  beforeAll(async () => {
    containers = await startContainerEnvironment({ programs });
  }, 1_800_000);
  afterAll(async () => containers?.stop());

  async function open(name: string): Promise<TestNamespace> {
    const scope = await containers.environment.namespace(name);
    await scope.apply(scope.target("cluster"));
    return scope;
  }

  interface Run {
    readonly values?: Readonly<Record<string, string>>;
    /** Names of the item's exports, which become DataObjects. */
    readonly exports?: readonly string[];
    /** In place of those of the example. */
    readonly importValues?: unknown;
  }

  function installation(example: string, { values = {}, exports = [], importValues }: Run): UnstructuredObject {
    const config = { ...guide.loadPart(example, { tools: toolsImage, image: programImage, ...values }) };
    if (importValues !== undefined) config["importValues"] = importValues;
    const type = "landscaper.gardener.cloud/container";
    const item = { name: "program", type, timeout: "2m", target: { import: "cluster" }, config };
    const template = exports.map(
      (name) => `  ${name}: {{ index .values "deployitems" "program" "${name}" | toJson }}\n`,
    );
    return inlineInstallation({
      name: "guided",
      blueprint: {
        imports: [clusterImport],
        deployExecutions: [{ name: "default", type: "GoTemplate", template: JSON.stringify({ deployItems: [item] }) }],
        exports: exports.map((name) => ({ name, type: "data", schema: {} })),
        ...(exports.length === 0
          ? {}
          : {
              exportExecutions: [{ name: "default", type: "GoTemplate", template: `exports:\n${template.join("")}` }],
            }),
      },
      imports: { targets: [{ name: "cluster", target: "cluster" }] },
      exports: { data: exports.map((name) => ({ name, dataRef: name })) },
    });
  }

  async function remove(scope: TestNamespace): Promise<void> {
    await scope.delete(resources.installation, "guided");
    await scope.untilGone(resources.installation, "guided");
  }

  /** "kind/name" of everything on the host that is about items of the namespace. */
  async function leftOnHost({ name }: TestNamespace): Promise<string[]> {
    const { client } = containers.environment;
    const kinds = [kubeResources.pod, kubeResources.secret, kubeResources.configMap, kubeResources.serviceAccount];
    const labelSelector = `deployitem.container.deployer.landscaper.gardener.cloud/namespace=${name}`;
    const lists = await Promise.all(
      kinds.map((type) => client.list(type, { namespace: hostNamespace, labelSelector })),
    );
    const named = await Promise.all(kinds.map((type) => client.list(type, { namespace: hostNamespace })));
    const namesIn = (found: typeof lists) =>
      found.flatMap(({ items }) => items.map(({ metadata }) => metadata.name ?? ""));
    return [...namesIn(lists), ...namesIn(named).filter((object) => object.includes(name))];
  }

  it("runs a script", async () => {
    const scope = await open("script");
    await scope.apply(installation("script", { exports: ["greeting"] }));
    await scope.waitForPhase("guided", "Succeeded");
    expect(await scope.exported("greeting")).toBe("hello world");
    await remove(scope);
    expect(await leftOnHost(scope)).toEqual([]);
  }, 180_000);

  it("keeps a state from one run to the next, and works on the target", async () => {
    const scope = await open("count");
    const run = { values: { namespace: scope.targetNamespace }, exports: ["runs"] };
    const runsOnTarget = async () => (await scope.findOnTarget(kubeResources.configMap, "counted"))?.data;
    await scope.apply(installation("count", run));
    await scope.waitForPhase("guided", "Succeeded");
    expect([await scope.exported("runs"), await runsOnTarget()]).toEqual([1, { runs: "1" }]);
    await scope.trigger("guided");
    await scope.waitForPhase("guided", "Succeeded");
    expect([await scope.exported("runs"), await runsOnTarget()]).toEqual([2, { runs: "2" }]);
    await remove(scope);
    expect(await runsOnTarget()).toBeUndefined();
    expect(await leftOnHost(scope)).toEqual([]);
  }, 180_000);

  it("removes what the record names", async () => {
    const scope = await open("record");
    const namespace = scope.targetNamespace;
    const made = async (): Promise<string[]> => {
      const { items } = await containers.environment.targetClient.list(kubeResources.configMap, { namespace });
      return items.map(({ metadata }) => metadata.name ?? "").filter((name) => name !== "kube-root-ca.crt");
    };
    await scope.apply(installation("record", { values: { namespace } }));
    await scope.waitForPhase("guided", "Succeeded");
    expect(await made()).toEqual(["first", "second"]);
    await scope.apply(
      installation("record", { importValues: { namespace, names: ["second", "third"] }, values: { namespace } }),
    );
    await scope.waitForPhase("guided", "Succeeded");
    expect(await made()).toEqual(["second", "third"]);
    await remove(scope);
    expect(await made()).toEqual([]);
    expect(await leftOnHost(scope)).toEqual([]);
  }, 180_000);
});
