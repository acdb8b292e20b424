import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { claimFolder } from "./claim-folder.ts";
import { parseProcStat, parsePs, readProcessStart } from "./process-start.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-claim-"));
  writeFileSync(join(folder, "hub.kubeconfig"), "of the first demo");
});
afterEach(() => rmSync(folder, { recursive: true }));

const starts: Readonly<Record<number, string>> = { [process.pid]: "now", 17: "earlier" };
const start = (pid: number): string | undefined => starts[pid];

describe("claimFolder", () => {
  it("refuses while a demo runs, and touches no file of it", () => {
    writeFileSync(join(folder, "demo.pid"), "17 earlier\n");
    expect(() => claimFolder(folder, start)).toThrow(
      new Error("a demo of this clone runs (pid 17); end it with Ctrl-C there first"),
    );
    expect(readdirSync(folder).toSorted()).toEqual(["demo.pid", "hub.kubeconfig"]);
  });

  it.each([
    ["of a process that has ended", "18 earlier\n"],
    ["of a process whose pid another one has now", "17 long ago\n"],
    ["without a start", "17\n"],
    ["without content", ""],
  ])("ignores a pid file %s", (_title, content) => {
    writeFileSync(join(folder, "demo.pid"), content);
    claimFolder(folder, start);
    expect(readdirSync(folder)).toEqual(["demo.pid"]);
    expect(() => claimFolder(folder, start)).toThrow(`(pid ${process.pid})`);
  });

  it("creates the folder, and lets the next demo have it after the release", () => {
    const missing = join(folder, ".demo");
    claimFolder(missing, start)();
    claimFolder(missing, start);
    expect(existsSync(join(missing, "demo.pid"))).toBe(true);
  });
});

describe("the start of a process", () => {
  it("is the same at each reading, and undefined after the end", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const pid = child.pid ?? 0;
    expect(readProcessStart(pid)).toMatch(/./);
    expect(readProcessStart(pid)).toBe(readProcessStart(pid));
    child.kill();
    await once(child, "exit");
    expect(readProcessStart(pid)).toBeUndefined();
  });

  const fields = "1 42 42 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 123456 1000";
  it.each([
    [`42 (a) name) S ${fields}`, "123456"],
    [`42 (node) Z ${fields}`, undefined],
  ])("is read from /proc: %s", (stat, want) => {
    expect(parseProcStat(stat)).toBe(want);
  });

  it.each([
    ["Ss+  Mon Jan  5 10:00:00 2026\n", "Mon Jan  5 10:00:00 2026"],
    ["Z    Mon Jan  5 10:00:00 2026\n", undefined],
    ["", undefined],
  ])("is read from ps: %j", (line, want) => {
    expect(parsePs(line)).toBe(want);
  });
});
