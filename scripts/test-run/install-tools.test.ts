import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { furtherTools, listMissingPackages, neededTools } from "./install-tools.ts";

it("names each missing package once", () => {
  const tools = [
    { program: "ctr", debian: "containerd" },
    { program: "containerd", debian: "containerd" },
    { program: ["/a/bridge", "/b/bridge"], debian: "plugins" },
    { program: "ip", debian: "iproute2" },
  ];
  expect(listMissingPackages(tools, ({ program }) => program === "ip")).toEqual(["containerd", "plugins"]);
  expect(listMissingPackages(tools, () => true)).toEqual([]);
});

it("installs the packages of all programs of a real node, except packages of every system", () => {
  const source = readFileSync(join(import.meta.dirname, "../../test-e2e/cluster/node-tools.ts"), "utf8");
  const packages = [...source.matchAll(/\["[\w-]+", "([\w-]+)"\]/g)].map(([, name]) => name);
  const installed = [...neededTools, ...furtherTools].map(({ debian }) => debian);
  const ofEverySystem = ["util-linux", "mount", "bash", "tar"];
  expect(packages.length).toBeGreaterThan(8);
  expect(packages.filter((name) => !installed.includes(name ?? "") && !ofEverySystem.includes(name ?? ""))).toEqual([]);
});
