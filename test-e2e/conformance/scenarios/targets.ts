import { expect } from "@jest/globals";
import type { Item } from "../../src/kits/plain-api.ts";
import { scopedName } from "../../src/kits/contract-names.ts";
import {
  deployItems,
  goTemplate,
  installation,
  playbackItem,
  subInstallation,
  target,
  targetParameter,
} from "../objects.ts";
import type { Place } from "../place.ts";
import type { Scenario } from "../scenario.ts";

/** One item for each target of the import "clusters", a map. */
const itemPerKey = goTemplate(`
deployItems:
{{ range $key, $target := .imports.clusters }}
- name: item-{{ $key }}
  type: conformance.test/playback
  target: { import: clusters, key: {{ $key }} }
  config: { apiVersion: conformance.test/v1, kind: Playback, text: {{ $target.spec.config.place }} }
{{ end }}
`);
const mapImport = targetParameter("clusters", "targetMap");

/** Names of the Targets that the items of an Execution are for, by item. */
async function targetsOf(place: Place, execution: string): Promise<Readonly<Record<string, unknown>>> {
  const nameOf = ({ spec }: Item): unknown => Reflect.get(Object(spec?.["target"]), "name");
  const items = [...(await place.items(execution))];
  return Object.fromEntries(items.map(([name, item]) => [name, nameOf(item)]));
}

/** Of the only sub-installation of "root" from this template. */
async function targetsOfSub(place: Place, template: string): Promise<Readonly<Record<string, unknown>>> {
  return targetsOf(place, await place.waitForSub("root", template));
}

export const targets: readonly Scenario[] = [
  {
    title: "makes one item for each target of a map, and follows its keys (§5.14)",
    name: "target-map",
    async run(place) {
      const wanted = (targetMap: Readonly<Record<string, string>>) =>
        installation({
          name: "root",
          blueprint: { imports: [targetParameter("clusters", "targetMap")], deployExecutions: itemPerKey },
          imports: { targets: [{ name: "clusters", targetMap }] },
        });
      const places = async () => {
        await place.waitForPhase("root", "Succeeded");
        const items = [...(await place.items("root"))];
        return Object.fromEntries(items.map(([name, { spec }]) => [name, spec?.["target"]]));
      };
      const named = (name: string) => ({ name, namespace: place.namespace });
      await place.apply(target("one"), target("two"), target("three"), wanted({ red: "one", blue: "two" }));
      expect(await places()).toEqual({ "item-red": named("one"), "item-blue": named("two") });
      const blue = (await place.items("root")).get("item-blue")?.metadata.uid;
      const next = wanted({ blue: "three", yellow: "one" });
      await place.apply(next);
      expect(await places()).toEqual({ "item-blue": named("three"), "item-yellow": named("one") });
      expect((await place.items("root")).get("item-blue")?.metadata.uid).toBe(blue);
    },
  },
  {
    title: "passes target maps on, whole and by element, and composes them (§1.2 no. 47, §5.14)",
    name: "target-map-subs",
    async run(place) {
      const perMap = { imports: [mapImport], deployExecutions: itemPerKey };
      const single = {
        imports: [targetParameter("cluster")],
        deployExecutions: deployItems(playbackItem("item", { item: { target: { import: "cluster" } } })),
      };
      const subinstallations = [
        subInstallation({
          name: "whole",
          blueprint: perMap,
          imports: { targets: [{ name: "clusters", targetMapRef: "clusters" }] },
        }),
        subInstallation({
          name: "element",
          blueprint: single,
          imports: { targets: [{ name: "cluster", target: "clusters[red]" }] },
        }),
        subInstallation({
          name: "composed",
          blueprint: perMap,
          imports: { targets: [{ name: "clusters", targetMap: { left: "clusters[blue]", right: "extra" } }] },
        }),
      ];
      await place.apply(
        target("one"),
        target("two"),
        target("three"),
        installation({
          name: "root",
          blueprint: { imports: [mapImport, targetParameter("extra")], subinstallations },
          imports: {
            targets: [
              { name: "clusters", targetMap: { red: "one", blue: "two" } },
              { name: "extra", target: "three" },
            ],
          },
        }),
      );
      await place.waitForPhase("root", "Succeeded");
      const copy = (name: string) => scopedName("Inst.root", name);
      expect(await targetsOfSub(place, "whole")).toEqual({
        "item-red": copy("clusters[red]"),
        "item-blue": copy("clusters[blue]"),
      });
      expect(await targetsOfSub(place, "element")).toEqual({ item: copy("clusters[red]") });
      expect(await targetsOfSub(place, "composed")).toEqual({
        "item-left": copy("clusters[blue]"),
        "item-right": copy("extra"),
      });
    },
  },
  {
    title: "chooses from target lists by index, and passes them on; an empty list is one (§1.2 no. 34, 41, §4.24)",
    name: "target-list",
    async run(place) {
      const listImport = targetParameter("list", "targetList");
      const second = deployItems(playbackItem("item", { item: { target: { import: "list", index: 1 } } }));
      const sub = subInstallation({
        name: "sub",
        blueprint: { imports: [listImport], deployExecutions: second },
        imports: { targets: [{ name: "list", targetListRef: "list" }] },
      });
      await place.apply(
        target("one"),
        target("two"),
        installation({
          name: "root",
          blueprint: { imports: [listImport], deployExecutions: second, subinstallations: [sub] },
          imports: { targets: [{ name: "list", targets: ["one", "two"] }] },
        }),
        installation({
          name: "empty",
          blueprint: { imports: [listImport], deployExecutions: deployItems(playbackItem("item")) },
          imports: { targets: [{ name: "list", targets: [] }] },
        }),
      );
      await place.waitForPhase("root", "Succeeded");
      await place.waitForPhase("empty", "Succeeded");
      expect(await targetsOf(place, "root")).toEqual({ item: "two" });
      expect(await targetsOfSub(place, "sub")).toEqual({ item: scopedName("Inst.root", "list[1]") });
    },
  },
  {
    title: "hands exported targets to siblings, and fails where the type is another (§5.15)",
    name: "target-export",
    async run(place) {
      const exporting = (type: string) =>
        subInstallation({
          name: "exporter",
          blueprint: {
            exports: [{ name: "made", type: "target", targetType: "conformance.test/place" }],
            exportExecutions: goTemplate(`exports: { made: { type: ${type}, config: { place: here } } }\n`),
          },
          exports: { targets: [{ name: "made", target: "made" }] },
        });
      const importing = subInstallation({
        name: "importer",
        blueprint: { imports: [mapImport], deployExecutions: itemPerKey },
        imports: { targets: [{ name: "clusters", targetMap: { made: "made" } }] },
      });
      const wanted = (type: string) =>
        installation({ name: "root", blueprint: { subinstallations: [importing, exporting(type)] } });
      await place.apply(wanted("conformance.test/place"));
      await place.waitForPhase("root", "Succeeded");
      expect(await targetsOfSub(place, "importer")).toEqual({ "item-made": scopedName("Inst.root", "made") });
      await place.apply(wanted("conformance.test/other"));
      await place.waitForPhase("root", "Failed");
    },
  },
];
