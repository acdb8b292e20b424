import { expect } from "@jest/globals";
import { apiVersion } from "../../src/kits/plain-api.ts";
import { finalizer, scopedName } from "../../src/kits/contract-names.ts";
import {
  anything,
  dataObject,
  dataRefs,
  deployItems,
  goTemplate,
  installation,
  playbackItem,
  subInstallation,
  text,
} from "../objects.ts";
import type { Scenario } from "../scenario.ts";

interface Link {
  readonly name: string;
  readonly after: readonly string[];
  /** Go template of what it exports. */
  readonly value: string;
}

/** Sub-installations with an item each that import and export words by their names; the root exports that of "d". */
function chain(links: readonly Link[]) {
  const subinstallations = links.map(({ name, after, value }) =>
    subInstallation({
      name,
      blueprint: {
        imports: after.map((each) => text(each)),
        exports: [text(name)],
        deployExecutions: deployItems(playbackItem(name)),
        exportExecutions: goTemplate(`exports: { ${name}: "${value}" }\n`),
      },
      imports: dataRefs(...after),
      exports: dataRefs(name),
    }),
  );
  return installation({
    name: "root",
    blueprint: {
      exports: [text("track")],
      subinstallations,
      exportExecutions: goTemplate('exports: { track: "{{ .values.dataobjects.d }}" }\n'),
    },
    exports: dataRefs("track"),
  });
}

const independent = (name: string): Link => ({ name, after: [], value: name.toUpperCase() });

/** A blueprint that prints its data imports into the item's text. */
const printing = (names: readonly string[]) => ({
  imports: names.map((name) => anything(name)),
  deployExecutions: goTemplate(`
deployItems:
- name: item
  type: conformance.test/playback
  config:
    apiVersion: conformance.test/v1
    kind: Playback
    values: {{ toJson (dict ${names.map((name) => `"${name}" (index .imports "${name}")`).join(" ")}) }}
`),
});

export const dataFlow: readonly Scenario[] = [
  {
    title: "orders sub-installations by their data flow (§1.1 no. 5, §5.8)",
    name: "chain",
    async run(place) {
      await place.apply(
        chain([
          { name: "d", after: ["c"], value: "{{ .imports.c }}D" },
          { name: "c", after: ["b"], value: "{{ .imports.b }}C" },
          { name: "b", after: ["a"], value: "{{ .imports.a }}B" },
          independent("a"),
        ]),
      );
      await place.waitForPhase("root", "Succeeded");
      expect((await place.get("DataObject", "track")).data).toBe("ABCD");
      expect(place.deployer.log).toEqual(["install a", "install b", "install c", "install d"]);
      // What the child "a" exports lives in the scope of the root.
      expect((await place.get("DataObject", scopedName("Inst.root", "a"))).data).toBe("A");

      await place.apply(
        chain([
          { name: "d", after: ["a", "b", "c"], value: "({{ .imports.a }}|{{ .imports.b }}|{{ .imports.c }})D" },
          ...["a", "b", "c"].map(independent),
        ]),
      );
      await place.waitForPhase("root", "Succeeded");
      expect((await place.get("DataObject", "track")).data).toBe("(A|B|C)D");
      expect(place.deployer.log.at(-1)).toBe("install d");
    },
  },
  {
    title: "fails for a ring of sub-installations and for two that export the same, and starts none (§5.9)",
    name: "ring",
    async run(place) {
      await place.apply(
        chain([
          { name: "c", after: ["d"], value: "C" },
          { name: "d", after: ["c"], value: "D" },
        ]),
      );
      await place.waitForPhase("root", "Failed");
      const twice = (name: string) =>
        subInstallation({
          name,
          blueprint: { exports: [text("d")], exportExecutions: goTemplate("exports: { d: x }\n") },
          exports: dataRefs("d"),
        });
      await place.apply(installation({ name: "other", blueprint: { subinstallations: [twice("one"), twice("two")] } }));
      await place.waitForPhase("other", "Failed");
      expect(place.deployer.log).toEqual([]);
    },
  },
  {
    title: "triggers root Installations that import what another exports, and deletes them first (§5.11)",
    name: "successor",
    async run(place) {
      const exporter = (word: string) =>
        installation({
          name: "first",
          blueprint: {
            exports: [text("word")],
            deployExecutions: deployItems(playbackItem("first")),
            exportExecutions: goTemplate(`exports: { word: ${word} }\n`),
          },
          exports: dataRefs("word"),
        });
      await place.apply(
        installation({
          name: "second",
          blueprint: {
            imports: [text("word")],
            exports: [text("answer")],
            deployExecutions: deployItems(playbackItem("second")),
            exportExecutions: goTemplate('exports: { answer: "{{ .imports.word }}!" }\n'),
          },
          imports: dataRefs("word"),
          exports: dataRefs("answer"),
          annotations: {},
        }),
        exporter("hello"),
      );
      await place.waitFor(["DataObject", "answer"], (found) => found?.data === "hello!");
      await place.apply(exporter("bye"));
      await place.waitFor(["DataObject", "answer"], (found) => found?.data === "bye!");
      await place.waitForPhase("second", "Succeeded");
      expect(place.deployer.log).toEqual(["install first", "install second", "install first", "install second"]);

      await place.delete("Installation", "first");
      await place.delete("Installation", "second");
      await place.waitGone("Installation", "second");
      await place.waitGone("Installation", "first");
      expect(place.deployer.log.slice(4)).toEqual(["uninstall second", "uninstall first"]);
    },
  },
  {
    title: "fails without a listed import, once, and succeeds when it is there (§5.4, §4.20)",
    name: "missing-import",
    async run(place) {
      await place.apply(
        installation({
          name: "root",
          blueprint: { imports: [text("word", { required: false })], deployExecutions: deployItems(playbackItem("x")) },
          imports: dataRefs("word"),
        }),
      );
      const failed = await place.waitForPhase("root", "Failed");
      expect(failed.status?.lastError).toMatchObject({ operation: "init", reason: "ImportsSatisfied" });
      expect(await place.list("DeployItem")).toEqual([]);
      await place.apply(dataObject("word", "hello"));
      await place.trigger("root");
      await place.waitForPhase("root", "Succeeded");
    },
  },
  {
    title: "checks imports against their schemas (§5.5)",
    name: "schema",
    async run(place) {
      await place.apply(
        dataObject("word", 5),
        installation({
          name: "root",
          blueprint: { imports: [text("word")], deployExecutions: deployItems(playbackItem("x")) },
          imports: dataRefs("word"),
        }),
      );
      const failed = await place.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.message).toContain("word");
      expect(await place.list("DeployItem")).toEqual([]);
      await place.apply(dataObject("word", "five"));
      await place.trigger("root");
      await place.waitForPhase("root", "Succeeded");
    },
  },
  {
    title: "reads DataObjects, Secrets and ConfigMaps, whole or by key (§1.2 no. 36, §5.2)",
    name: "sources",
    async run(place) {
      const names = ["object", "secretKey", "secret", "mapKey", "map"];
      await place.apply(
        dataObject("object", { a: [1] }),
        { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { one: "5", two: "[x]" } },
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { one: "a: b", two: "text" } },
        installation({
          name: "root",
          blueprint: printing(names),
          imports: {
            data: [
              { name: "object", dataRef: "object" },
              { name: "secretKey", secretRef: { name: "s", key: "one" } },
              { name: "secret", secretRef: { name: "s" } },
              { name: "mapKey", configMapRef: { name: "c", key: "one" } },
              { name: "map", configMapRef: { name: "c" } },
            ],
          },
        }),
      );
      await place.waitForPhase("root", "Succeeded");
      const config = (await place.items("root")).get("item")?.spec?.["config"];
      expect(config).toMatchObject({
        values: {
          object: { a: [1] },
          secretKey: 5,
          secret: { one: 5, two: ["x"] },
          mapKey: { a: "b" },
          map: { one: { a: "b" }, two: "text" },
        },
      });
    },
  },
  {
    title: "maps data on the way in and out (§1.2 no. 38, 43, §5.7)",
    name: "mappings",
    async run(place) {
      const release = { name: "(( outer ))", text: "constant" };
      await place.apply(
        dataObject("outer", "hello"),
        installation({
          name: "root",
          blueprint: {
            ...printing(["release"]),
            exports: [text("a"), text("b")],
            exportExecutions: goTemplate("exports: { a: one, b: two }\n"),
          },
          imports: dataRefs("outer"),
          exports: { data: [{ name: "both", dataRef: "both" }] },
          spec: { importDataMappings: { release }, exportDataMappings: { both: ["(( a ))", "(( b ))"] } },
        }),
      );
      await place.waitForPhase("root", "Succeeded");
      const config = (await place.items("root")).get("item")?.spec?.["config"];
      expect(config).toMatchObject({ values: { release: { name: "hello", text: "constant" } } });
      expect((await place.get("DataObject", "both")).data).toEqual(["one", "two"]);
    },
  },
  {
    title: "adds what import executions compute, and stops for their errors (§1.2 no. 39, §5.6)",
    name: "import-executions",
    async run(place) {
      const executions = goTemplate(`
bindings: { sorted: {{ .imports.words | sortAlpha | toJson }} }
errors: [ {{ if has "wrong" .imports.words }}"the words cannot be sorted"{{ end }} ]
`);
      const blueprint = {
        ...printing(["sorted"]),
        imports: [anything("words")],
        importExecutions: executions,
      };
      await place.apply(
        dataObject("words", ["wrong"]),
        installation({ name: "root", blueprint, imports: dataRefs("words") }),
      );
      const failed = await place.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.message).toContain("the words cannot be sorted");
      expect(await place.list("DeployItem")).toEqual([]);
      await place.apply(dataObject("words", ["b", "a"]));
      await place.trigger("root");
      await place.waitForPhase("root", "Succeeded");
      const config = (await place.items("root")).get("item")?.spec?.["config"];
      expect(config).toMatchObject({ values: { sorted: ["a", "b"] } });
    },
  },
  {
    title: "asks for conditional imports only when their condition is given (§5.13)",
    name: "conditional",
    async run(place) {
      const foo = text("foo", { required: false, imports: [text("bar")] });
      const sub = subInstallation({
        name: "sub",
        blueprint: { imports: [foo], deployExecutions: deployItems(playbackItem("x")) },
        imports: dataRefs("foo", "bar"),
      });
      const wanted = (...names: readonly string[]) =>
        installation({
          name: "root",
          blueprint: { imports: [foo], subinstallations: [sub] },
          imports: dataRefs(...names),
        });
      const dataOfSub = async () => {
        const imports = (await place.subs("root")).get("sub")?.spec?.["imports"];
        return Reflect.get(Object(imports), "data") ?? [];
      };
      await place.apply(dataObject("foo", "f"), dataObject("bar", "b"), wanted());
      await place.waitForPhase("root", "Succeeded");
      expect(await dataOfSub()).toEqual([]);
      await place.apply(wanted("foo"));
      const failed = await place.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.message).toContain("bar");
      await place.apply(wanted("foo", "bar"));
      await place.waitForPhase("root", "Succeeded");
      expect(await dataOfSub()).toEqual([
        { name: "foo", dataRef: "foo" },
        { name: "bar", dataRef: "bar" },
      ]);
    },
  },
  {
    title: "fails a job when its spec or imports change while it runs (§1.1 no. 8, §5.23)",
    name: "changed-meanwhile",
    async run(place) {
      const wanted = (text: string) =>
        installation({
          name: "root",
          blueprint: {
            imports: [anything("word")],
            deployExecutions: deployItems(playbackItem("item", { outcome: "Hold", text })),
          },
          imports: dataRefs("word"),
          annotations: {},
        });
      await place.apply(dataObject("word", "one"), wanted("first"));
      for (const [change, reason] of [
        [dataObject("word", "two"), "CheckImportsHash"],
        [wanted("second"), "CheckObservedGeneration"],
      ] as const) {
        await place.trigger("root");
        const held = await place.waitForItem("root", "item");
        await place.apply(change);
        await place.deployer.finish(held, "Succeeded");
        const failed = await place.waitForPhase("root", "Failed");
        expect(failed.status?.lastError?.reason).toBe(reason);
      }
    },
  },
  {
    title: "reaches over scopes with # (§3.1)",
    name: "hash-reference",
    async run(place) {
      await place.apply(
        dataObject("word", "hello"),
        installation({
          name: "root",
          blueprint: { imports: [text("foo")] },
          imports: { data: [{ name: "foo", dataRef: "word" }] },
        }),
      );
      await place.waitForPhase("root", "Succeeded");
      await place.apply(
        installation({
          name: "reader",
          blueprint: printing(["word"]),
          // The copy in the scope of "root".
          imports: { data: [{ name: "word", dataRef: "#2oh4lbmpv7gunph5dluz47hyhssiywun" }] },
        }),
      );
      await place.waitForPhase("reader", "Succeeded");
      const config = (await place.items("reader")).get("item")?.spec?.["config"];
      expect(config).toMatchObject({ values: { word: "hello" } });
    },
  },
  {
    title: "takes any Installation without an owning Installation for a root (§2.2)",
    name: "foreign-owner",
    async run(place) {
      const owner = await place.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owner" } });
      const { metadata, ...rest } = installation({ name: "root", blueprint: {} });
      const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata.uid }];
      await place.create({ ...rest, apiVersion, metadata: { ...metadata, ownerReferences } });
      const ended = await place.waitForPhase("root", "Succeeded");
      expect(ended.metadata.finalizers).toContain(finalizer);
    },
  },
];
