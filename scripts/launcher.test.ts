import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { launcherOf, shortCalls } from "./launcher.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "launcher-"));
  mkdirSync(join(folder, "bundles/tool"), { recursive: true });
  writeFileSync(join(folder, "bundles/tool/tool.mjs"), 'console.log("started");\n');
  writeFileSync(join(folder, "tool.mjs"), launcherOf("tool"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function start(env: Record<string, string>): readonly unknown[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "tool.mjs")], {
    env,
    cwd: folder,
    encoding: "utf8",
    timeout: 10_000,
  });
  return [status, stdout, stderr];
}

const started = [0, "started\n", ""];
/** Neither a folder nor a place for one, as on a read-only file system; root may write where permissions forbid it. */
const blockOwnCache = (): void => writeFileSync(join(folder, "compile-cache"), "");

describe("the launcher of a program", () => {
  it("keeps compiled code beside the bundles", () => {
    expect(start({ HOME: folder })).toEqual(started);
    expect([existsSync(join(folder, "compile-cache")), existsSync(join(folder, ".cache"))]).toEqual([true, false]);
  });

  it("keeps compiled code in the user's cache when it cannot write beside the bundles", () => {
    blockOwnCache();
    expect(start({ HOME: folder })).toEqual(started);
    expect(existsSync(join(folder, ".cache/landscaper/compile-cache"))).toBe(true);
  });

  it("sets flags that V8 knows before the program is loaded", () => {
    // V8 tells flags that it does not know, and goes on without them.
    writeFileSync(join(folder, "tool.mjs"), launcherOf("tool", shortCalls));
    expect(start({ HOME: folder })).toEqual(started);
    writeFileSync(join(folder, "tool.mjs"), launcherOf("tool", ["--invocation-count-for-sparkplug-plus=1"]));
    expect(start({ HOME: folder })).not.toEqual(started);
    writeFileSync(join(folder, "bundles/tool/tool.mjs"), "console.log(typeof %IsBeingInterpreted());\n");
    writeFileSync(join(folder, "tool.mjs"), launcherOf("tool", ["--allow-natives-syntax"]));
    expect(start({ HOME: folder })).toEqual([0, "boolean\n", ""]);
  });

  it.each([
    ["no home folder", {}],
    ["an empty home folder", { HOME: "" }],
    ["a home folder that is a file", { HOME: "/dev/null" }],
    ["a home folder in which mkdir reports that the parent does not exist", { HOME: "/proc/none" }],
    ["a relative cache folder", { XDG_CACHE_HOME: "cache" }],
  ])("starts without a cache and without a warning given %s", (_title, env) => {
    blockOwnCache();
    expect(start(env)).toEqual(started);
    expect(existsSync(join(folder, "cache"))).toBe(false);
  });
});
