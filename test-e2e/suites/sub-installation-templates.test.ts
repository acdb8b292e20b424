import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { annotations, kubeResources, resources } from "@landscaper/api";
import { configMapItem } from "../src/installations/config-map-item.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  clusterImport,
  dataObject,
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
  mockItem,
} from "../src/installations/inline-installation.ts";
import { chainBlueprint } from "../src/installations/mock-chain.ts";
import { playedType, removeFinalizer, waitForJob, writePhase } from "@landscaper/testkit";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import {
  subInstallations,
  subInstallationTemplate,
  waitForSubInstallation,
} from "../src/installations/sub-installations.ts";

const text = { type: "string" };
const namespaceParameter = dataParameter("namespace", text);
const namespaceImport = { name: "namespace", dataRef: "namespace" };

/** Deploys the ConfigMap cm-<name>, and exports the names on the way to it. */
function step(name: string, before: string | undefined): Record<string, unknown> {
  const track = before === undefined ? "cm-example" : "{{ .imports.before }}";
  return subInstallationTemplate({
    name,
    blueprint: {
      imports: [clusterImport, namespaceParameter, ...(before === undefined ? [] : [dataParameter("before", text)])],
      exports: [dataParameter("track", text)],
      deployExecutions: goTemplate(`deployItems:${configMapItem({ name: `cm-${name}`, data: { after: track } })}`),
      exportExecutions: goTemplate(`exports: { track: "${track}-${name}" }\n`),
    },
    imports: {
      targets: [{ name: "cluster", target: "cluster" }],
      data: [namespaceImport, ...(before === undefined ? [] : [{ name: "before", dataRef: `track-${before}` }])],
    },
    exports: { data: [{ name: "track", dataRef: `track-${name}` }] },
  });
}

/** A root with these steps one after the other; `more` are further sub-installations. */
function steps(names: readonly string[], ...more: readonly Record<string, unknown>[]): UnstructuredObject {
  return inlineInstallation({
    name: "root",
    blueprint: {
      imports: [clusterImport, namespaceParameter],
      exports: [dataParameter("track", text)],
      subinstallations: [...names.map((name, index) => step(name, names[index - 1])), ...more],
      exportExecutions: goTemplate(`exports: { track: {{ index .values.dataobjects "track-${names.at(-1)}" }} }\n`),
    },
    imports: { targets: [{ name: "cluster", target: "target" }], data: [namespaceImport] },
    exports: { data: [{ name: "track", dataRef: "track" }] },
  });
}

describe.each(clustersUnderTest())("templates of sub-installations on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "mock-deployer"],
    });
  });
  afterAll(async () => environment.stop());

  describe("that do not fit together", () => {
    const link = (name: string, ...after: string[]) => ({ name, after, combine: name });
    const good = chainBlueprint([link("a"), link("b", "a")], "b");

    it("scenario 9: fail their parent when they need each other, and print the ring", async () => {
      const scope = await environment.namespace("ring");
      const blueprint = chainBlueprint([link("a", "b"), link("b", "a")], "b");
      await scope.apply(inlineInstallation({ name: "root", blueprint }));
      const failed = await scope.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.message).toMatch(/in a ring: (a => b => a|b => a => b)/);
      expect(failed.status?.lastError?.codes).toContain("ERR_CYCLIC_DEPENDENCIES");
      expect([...(await subInstallations(scope, "root")).keys()]).toEqual([]);

      await scope.apply(inlineInstallation({ name: "root", blueprint: good }));
      await scope.waitForPhase("root", "Succeeded");
    });

    it("scenario 9: fail their parent when two export one name, and name both", async () => {
      const scope = await environment.namespace("double-export");
      const { subinstallations, ...rest } = good;
      const [first, second] = subinstallations as Record<string, unknown>[]; // chainBlueprint makes one for each link
      const blueprint = { ...rest, subinstallations: [first, { ...second, exports: first?.["exports"] }] };
      await scope.apply(inlineInstallation({ name: "root", blueprint }));
      const failed = await scope.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.message).toContain('the data "track-a" is exported by both "a" and "b"');
      expect([...(await subInstallations(scope, "root")).keys()]).toEqual([]);
    });
  });

  it("scenario 10: come and go with their sub-installations", async () => {
    const scope = await environment.namespace("sets");
    await scope.apply(scope.target("target"), dataObject("namespace", scope.targetNamespace));
    const deployed = async (): Promise<string[]> => {
      const found = await Promise.all(
        ["p", "q", "r"].map((name) => scope.findOnTarget(kubeResources.configMap, `cm-${name}`)),
      );
      return found.map((object) => object?.metadata.name ?? "-");
    };
    for (const [names, want] of [
      [
        ["p", "q"],
        ["cm-p", "cm-q", "-"],
      ],
      [
        ["p", "q", "r"],
        ["cm-p", "cm-q", "cm-r"],
      ],
      [["p"], ["cm-p", "-", "-"]],
    ] as const) {
      await scope.apply(steps(names));
      await scope.waitForPhase("root", "Succeeded");
      expect(await deployed()).toEqual(want);
      expect(await scope.exported("track")).toBe(`cm-example-${names.join("-")}`);
      expect([...(await subInstallations(scope, "root")).keys()].toSorted()).toEqual(names);
    }
  });

  it("scenario 10: take what they deployed along before the others start", async () => {
    const scope = await environment.namespace("orphans-first");
    await scope.apply(scope.target("target"), dataObject("namespace", scope.targetNamespace));
    const item = { name: "item", type: playedType, config: { apiVersion: "test/v1", kind: "Nothing" } };
    const played = subInstallationTemplate({
      name: "played",
      blueprint: { deployExecutions: deployItems(item) },
    });
    /** Waits until the item of the played one was handed a job. */
    const playedItem = async (phase: "Progressing" | "Deleting"): Promise<string> => {
      const name = await waitForSubInstallation(scope, "root", "played");
      await scope.until(resources.execution, name, (found) => found?.status?.phase === phase);
      const object = (await scope.deployItems(name)).get("item")?.metadata.name ?? "";
      await waitForJob(scope, object);
      return object;
    };
    await scope.apply(steps(["p"], played));
    await writePhase(scope, await playedItem("Progressing"), "Succeeded");
    const before = await scope.waitForPhase("root", "Succeeded");

    await scope.apply(steps(["p", "q"]));
    const orphanItem = await playedItem("Deleting");
    const root = await scope.get(resources.installation, "root");
    const subs = await subInstallations(scope, "root");
    expect(root.status?.phase).toBe("CleanupOrphaned");
    expect(subs.get("played")?.metadata.annotations).toMatchObject({ [annotations.deleteIgnoreSuccessors]: "true" });
    expect([subs.get("p")?.status?.jobID, subs.get("q")?.status?.jobID]).toEqual([before.status?.jobID, undefined]);
    await removeFinalizer(scope, orphanItem);
    await scope.waitForPhase("root", "Succeeded");
    expect([...(await subInstallations(scope, "root")).keys()].toSorted()).toEqual(["p", "q"]);
  });

  it("scenario 13: are given conditional imports when the parent has them", async () => {
    const scope = await environment.namespace("conditional");
    const foo = { ...dataParameter("foo", text), required: false, imports: [dataParameter("bar", text)] };
    const optional = ["foo", "bar"].map((name) => ({ ...dataParameter(name, text), required: false }));
    const of = (...names: readonly string[]): UnstructuredObject =>
      inlineInstallation({
        name: "root",
        blueprint: {
          imports: [foo],
          subinstallations: [
            subInstallationTemplate({
              name: "sub",
              blueprint: { imports: optional, deployExecutions: deployItems(mockItem("item")) },
              imports: { data: ["foo", "bar"].map((name) => ({ name, dataRef: name })) },
            }),
          ],
        },
        imports: { data: names.map((name) => ({ name, dataRef: name })) },
      });
    const passedOn = async (): Promise<readonly string[]> => {
      const sub = (await subInstallations(scope, "root")).get("sub");
      return (sub?.spec.imports?.data ?? []).map(({ name }) => name);
    };
    await scope.apply(dataObject("foo", "x"), dataObject("bar", "y"));
    await scope.apply(of());
    await scope.waitForPhase("root", "Succeeded");
    expect(await passedOn()).toEqual([]);
    await scope.apply(of("foo"));
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain("imports.bar: the blueprint requires this data import");
    await scope.apply(of("foo", "bar"));
    await scope.waitForPhase("root", "Succeeded");
    expect(await passedOn()).toEqual(["foo", "bar"]);
  });
});
