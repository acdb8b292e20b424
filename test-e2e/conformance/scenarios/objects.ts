import { gunzipSync } from "node:zlib";
import { expect } from "@jest/globals";
import type { Item } from "../../src/kits/plain-api.ts";
import * as contract from "../../src/kits/contract-names.ts";
import { scopedName, sha1 } from "../../src/kits/contract-names.ts";
import {
  anything,
  dataObject,
  dataRefs,
  deployItems,
  goTemplate,
  installation,
  playbackItem,
  subInstallation,
  target,
  targetParameter,
  text,
} from "../objects.ts";
import { playbackType } from "../playback.ts";
import type { Scenario } from "../scenario.ts";

const { data } = contract;

/** Kind, name and whether it is the controller, of the only owner. */
const ownerOf = ({ metadata }: Item): unknown =>
  (metadata.ownerReferences ?? []).map(({ kind, name, controller }) => [kind, name, controller === true]);

/** Labels of the contract that say where a DataObject or Target belongs. */
function scopeLabels({ metadata: { labels = {} } }: Item): Readonly<Record<string, string | undefined>> {
  const { context, key, source, sourceType, index, targetMapKey } = data;
  return Object.fromEntries(
    Object.entries({ context, key, source, sourceType, index, targetMapKey }).flatMap(([name, label]) =>
      labels[label] === undefined ? [] : [[name, labels[label]]],
    ),
  );
}

const importLabels = (key: string, more = {}) => ({
  context: "Inst.root",
  key,
  source: "Inst.root",
  sourceType: "import",
  ...more,
});

export const objects: readonly Scenario[] = [
  {
    title: "copies imported data into the Installation's scope (§3.1, §3.2, §3.3)",
    name: "data-copies",
    async run(place) {
      const value = { b: [1, "<x>"], a: true };
      await place.apply(
        dataObject("word", "hello"),
        dataObject("map", value),
        installation({
          name: "root",
          blueprint: { imports: [text("foo"), anything("map")], deployExecutions: deployItems(playbackItem("item")) },
          imports: {
            data: [
              { name: "foo", dataRef: "word" },
              { name: "map", dataRef: "map" },
            ],
          },
        }),
      );
      const { status } = await place.waitForPhase("root", "Succeeded");
      // The example of the specification.
      expect(scopedName("Inst.root", "foo")).toBe("2oh4lbmpv7gunph5dluz47hyhssiywun");
      const foo = await place.get("DataObject", "2oh4lbmpv7gunph5dluz47hyhssiywun");
      expect([foo.data, scopeLabels(foo), ownerOf(foo)]).toEqual([
        "hello",
        importLabels("foo"),
        [["Installation", "root", false]],
      ]);
      expect(foo.metadata.labels?.[data.jobID]).toBe(status?.jobID);
      expect(foo.metadata.annotations?.[data.hash]).toBe(sha1('"hello"'));
      const map = await place.get("DataObject", scopedName("Inst.root", "map"));
      expect(map.data).toEqual(value);
      const printed = '{\n  "a": true,\n  "b": [\n    1,\n    "\\u003cx\\u003e"\n  ]\n}';
      expect(map.metadata.annotations?.[data.hash]).toBe(sha1(printed));
    },
  },
  {
    title: "copies imported targets, and elements of target lists and maps (§3.1, §3.3, §4.15)",
    name: "target-copies",
    async run(place) {
      const labelled = { ...target("one"), metadata: { name: "one", labels: { mine: "kept" } } };
      await place.apply(
        labelled,
        target("two"),
        installation({
          name: "root",
          blueprint: {
            imports: [
              targetParameter("single"),
              targetParameter("list", "targetList"),
              targetParameter("clusters", "targetMap"),
            ],
            deployExecutions: deployItems(playbackItem("item")),
          },
          imports: {
            targets: [
              { name: "single", target: "one" },
              { name: "list", targets: ["one", "two"] },
              { name: "clusters", targetMap: { red: "one", blue: "two" } },
            ],
          },
        }),
      );
      await place.waitForPhase("root", "Succeeded");
      expect(scopedName("Inst.root", "clusters[red]")).toBe("yc6bzbf6pydeknd54xlmz2hgjpkfktsp");
      const elements = [
        ["single", {}, "one"],
        ["list[0]", { index: "0" }, "one"],
        ["list[1]", { index: "1" }, "two"],
        ["clusters[red]", { targetMapKey: "red" }, "one"],
        ["clusters[blue]", { targetMapKey: "blue" }, "two"],
      ] as const;
      for (const [name, more, of] of elements) {
        const copy = await place.get("Target", scopedName("Inst.root", name));
        const key = name.replace(/\[.*/, "");
        expect([name, scopeLabels(copy), copy.spec]).toEqual([name, importLabels(key, more), target(of).spec]);
        expect(copy.metadata.labels?.["mine"]).toBe(name === "single" ? "kept" : undefined);
      }
    },
  },
  {
    title:
      "exports data and targets of a root under their own names, hashed where they are no object names (§3.1, §1.5 D5)",
    name: "root-exports",
    async run(place) {
      const exported = `
exports:
  word: {{ .values.deployitems.item.word }}
  big: { word: {{ index .values.deployitems.item "word" }} }
  place: { type: conformance.test/place, config: { place: there }, labels: { mine: kept } }
`;
      await place.apply(
        installation({
          name: "root",
          blueprint: {
            exports: [text("word"), anything("big"), targetParameter("place")],
            deployExecutions: deployItems(playbackItem("item", { exports: { word: "hello" } })),
            exportExecutions: goTemplate(exported),
          },
          exports: {
            data: [
              { name: "word", dataRef: "a.word-1" },
              { name: "big", dataRef: "Foo_Bar" },
            ],
            targets: [{ name: "place", target: "there" }],
          },
        }),
      );
      const { status } = await place.waitForPhase("root", "Succeeded");
      const labels = (key: string) => ({ key, source: "Inst.root", sourceType: "export" });
      const word = await place.get("DataObject", "a.word-1");
      expect([word.data, scopeLabels(word), ownerOf(word)]).toEqual([
        "hello",
        labels("a.word-1"),
        [["Installation", "root", false]],
      ]);
      expect(word.metadata.labels?.[data.jobID]).toBe(status?.jobID);
      const big = await place.get("DataObject", "lmr5uzhobtiadmwzqk6umjeb7qfucvjr");
      expect([big.data, scopeLabels(big)]).toEqual([{ word: "hello" }, labels("Foo_Bar")]);
      const there = await place.get("Target", "there");
      expect([there.spec, scopeLabels(there)]).toEqual([target("there").spec, labels("there")]);
      expect(there.metadata.labels?.["mine"]).toBe("kept");

      const { exportRef } = (await place.get("Execution", "root")).status ?? {};
      expect(exportRef?.name).toBe("3ma3sfyypbemjcx6szifjuezoviyii4c");
      const all = await place.get("DataObject", exportRef?.name ?? "");
      expect([all.data, ownerOf(all)]).toEqual([{ item: { word: "hello" } }, [["Execution", "root", false]]]);
    },
  },
  {
    title: "makes sub-installations, Executions and deploy items with their marks and owners (§3.1, §3.3)",
    name: "sub-objects",
    async run(place) {
      const deployed = deployItems(
        playbackItem("first", { text: "hello", item: { labels: { mine: "kept" }, target: { import: "place" } } }),
        playbackItem("second", { item: { dependsOn: ["first"] } }),
      );
      const sub = subInstallation({
        name: "sub",
        blueprint: { imports: [targetParameter("place")], deployExecutions: deployed },
        imports: { targets: [{ name: "place", target: "place" }] },
      });
      await place.apply(
        target("place"),
        installation({
          name: "root",
          blueprint: { imports: [targetParameter("place")], subinstallations: [sub] },
          imports: { targets: [{ name: "place", target: "place" }] },
        }),
      );
      await place.waitForPhase("root", "Succeeded");
      const [child] = [...(await place.subs("root")).values()];
      const name = child?.metadata.name ?? "";
      expect(name).toMatch(/^sub-/);
      expect(child?.metadata.labels?.[contract.encompassedBy]).toBe("root");
      expect(child === undefined ? undefined : ownerOf(child)).toEqual([["Installation", "root", true]]);
      expect(child?.metadata.finalizers).toContain(contract.finalizer);
      expect(child?.status?.executionRef?.name).toBe(name);

      const execution = await place.get("Execution", name);
      expect(ownerOf(execution)).toEqual([["Installation", name, true]]);
      expect(execution.metadata.finalizers).toContain(contract.finalizer);
      const { deployItems: plain, deployItemsCompressed } = execution.spec ?? {};
      const list: unknown =
        plain ?? JSON.parse(gunzipSync(Buffer.from(String(deployItemsCompressed), "base64")).toString("utf8"));
      expect(list).toMatchObject([{ name: "first" }, { name: "second", dependsOn: ["first"] }]);

      const items = await place.items(name);
      const [first, second] = [items.get("first"), items.get("second")];
      expect(first?.metadata.name.startsWith(`${name}-first-`.slice(0, 45))).toBe(true);
      expect(first?.metadata.labels).toEqual({
        [contract.managedBy]: name,
        [contract.managedName]: "first",
        mine: "kept",
      });
      expect(first?.metadata.annotations).toMatchObject({
        [contract.deployerType]: playbackType,
        [contract.deployerTargetName]: scopedName("Inst.root", "place"),
      });
      // The object of the outer scope (§4.14).
      expect(first?.spec?.["target"]).toEqual({ name: scopedName("Inst.root", "place"), namespace: place.namespace });
      expect(first?.status?.["jobIDGenerationTime"]).toEqual(expect.stringMatching(/^\d{4}-\d\d-\d\dT/));
      expect(first?.spec?.["config"]).toMatchObject({ kind: "Playback", text: "hello" });
      expect(second?.metadata.annotations).toMatchObject({
        [contract.deployerTargetName]: ".noTargetName",
        [contract.dependsOn]: "first",
      });
      expect(second === undefined ? undefined : ownerOf(second)).toEqual([["Execution", name, true]]);
      expect(second?.metadata.finalizers).toContain(contract.finalizer);
    },
  },
  {
    title: "keeps exports while a job runs and replaces them when it ends (§4.1)",
    name: "replace-exports",
    async run(place) {
      const wanted = (word: string, outcome: "Succeeded" | "Hold") =>
        installation({
          name: "root",
          blueprint: {
            exports: [text("word")],
            deployExecutions: deployItems(playbackItem("item", { outcome })),
            exportExecutions: goTemplate(`exports: { word: ${word} }\n`),
          },
          exports: dataRefs("word"),
        });
      await place.apply(wanted("one", "Succeeded"));
      await place.waitForPhase("root", "Succeeded");
      expect((await place.get("DataObject", "word")).data).toBe("one");
      await place.apply(wanted("two", "Hold"));
      const held = await place.waitForItem("root", "item");
      expect((await place.get("DataObject", "word")).data).toBe("one");
      await place.deployer.finish(held, "Succeeded");
      await place.waitForPhase("root", "Succeeded");
      expect((await place.get("DataObject", "word")).data).toBe("two");
    },
  },
  {
    title: "does not overwrite what another Installation exports, but what a user has made (§4.46)",
    name: "export-owner",
    async run(place) {
      const wanted = (name: string) =>
        installation({
          name,
          blueprint: { exports: [text("word")], exportExecutions: goTemplate(`exports: { word: ${name} }\n`) },
          exports: dataRefs("word"),
        });
      await place.apply(dataObject("word", "mine"), wanted("first"));
      await place.waitForPhase("first", "Succeeded");
      expect((await place.get("DataObject", "word")).data).toBe("first");
      await place.apply(wanted("second"));
      await place.waitForPhase("second", "Failed");
      expect((await place.get("DataObject", "word")).data).toBe("first");
    },
  },
  {
    title: "keeps the state of templates in Secrets of the contract's names (§3.1, §3.7)",
    name: "state",
    async run(place) {
      const counting = `
state: { count: {{ add 1 (dig "count" 0 .state) }} }
deployItems: []
`;
      await place.apply(installation({ name: "root", blueprint: { deployExecutions: goTemplate(counting) } }));
      await place.waitForPhase("root", "Succeeded");
      await place.trigger("root");
      await place.waitForPhase("root", "Succeeded");
      const secret = await place.get("Secret", "whmi6t5lc5i4ac6inp2sfspq7vg23jl7");
      const config = Reflect.get(Object(secret.data), "config");
      expect(JSON.parse(Buffer.from(String(config), "base64").toString("utf8"))).toEqual({ count: 2 });
      expect(ownerOf(secret)).toEqual([["Installation", "root", true]]);
    },
  },
];
