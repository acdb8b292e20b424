import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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

it("lets npm test fail with the reason if apt-get fails", () => {
  const folder = mkdtempSync(join(tmpdir(), "install-tools-"));
  writeFileSync(join(folder, "apt-get"), "#!/bin/sh\necho no network >&2\nexit 100\n", { mode: 0o755 });
  // The pattern keeps the run small if it starts against the expectation.
  const program = [join(import.meta.dirname, "../run-tests.ts"), "--all-tools", "test-run/test-order"];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { env: { PATH: folder }, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect([status, stdout]).toEqual([1, "0 passed, 1 failed\n"]);
  expect(stderr).toMatch(/\n--all-tools: apt-get update failed \(exit code 100\):\nno network\n$/);
});
