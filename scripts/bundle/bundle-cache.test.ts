import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { buildCacheFolder, hashSources, openBundleCache } from "./bundle-cache.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bundle-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe("hashSources", () => {
  const hashWith = (path: string, text: string): string | undefined => {
    write(path, text);
    return hashSources(folder);
  };
  beforeEach(() => {
    spawnSync("git", ["init", "--quiet"], { cwd: folder });
    write("libs/json/src/index.ts", "1");
    write("pnpm-lock.yaml", "1");
    write(".gitignore", "dist\n");
  });

  it.each([
    ["a source", "libs/json/src/index.ts"],
    ["a new source", "services/landscaper-core/src/new.ts"],
    ["the locked packages", "pnpm-lock.yaml"],
    ["the build script", "scripts/build.ts"],
  ])("changes if %s changes", (_what, path) => {
    const before = hashSources(folder);
    expect(hashWith(path, "2")).not.toBe(before);
  });

  it.each([
    ["a test", "libs/json/src/index.test.ts"],
    ["test data", "libs/json/testdata/a.json"],
    ["a suite", "test-e2e/suites/tour.test.ts"],
    ["a Markdown page", "docs/guide/cli.md"],
    ["a file of the user", "hub.yaml"],
    ["a file that git ignores", "dist/landscaper.mjs"],
  ])("ignores %s", (_what, path) => {
    const before = hashSources(folder);
    expect(hashWith(path, "2")).toBe(before);
  });

  it("returns undefined outside a checkout", () => {
    rmSync(join(folder, ".git"), { recursive: true });
    expect(hashSources(folder)).toBeUndefined();
  });
});

describe("openBundleCache", () => {
  const cacheOf = (hash: string) => openBundleCache(join(folder, "cache"), hash);
  const files = ["core.mjs", "bundles/core/a.mjs"];
  beforeEach(() => {
    for (const file of files) write(join("dist", file), `text of ${file}`);
  });
  const keep = (hash: string): void => cacheOf(hash).store("core", join(folder, "dist"), files);
  const restore = (hash: string, program = "core") => cacheOf(hash).restore(program, join(folder, "restored"));

  it("restores files of the same sources", () => {
    keep("same");
    expect(restore("same")?.toSorted()).toEqual(files.toSorted());
    expect(readFileSync(join(folder, "restored/bundles/core/a.mjs"), "utf8")).toBe("text of bundles/core/a.mjs");
  });

  it("restores nothing for other sources or programs", () => {
    keep("same");
    expect(restore("other")).toBeUndefined();
    expect(restore("same", "agent")).toBeUndefined();
    expect(existsSync(join(folder, "restored"))).toBe(false);
  });

  it("does not overwrite an entry of another process", () => {
    keep("same");
    write("dist/core.mjs", "text of another process");
    keep("same");
    restore("same");
    expect(readFileSync(join(folder, "restored/core.mjs"), "utf8")).toBe("text of core.mjs");
    expect(readdirSync(join(folder, "cache"))).toEqual(["build-same"]);
  });

  it("restores files that are independent of the cached ones", () => {
    keep("same");
    restore("same");
    write("restored/core.mjs", "changed");
    restore("same");
    expect(readFileSync(join(folder, "restored/core.mjs"), "utf8")).toBe("text of core.mjs");
  });

  it("keeps the three most recently used builds, and removes unfinished ones after an hour", () => {
    const age = (name: string, minutes: number): void => {
      const then = new Date(Date.now() - minutes * 60_000);
      utimesSync(join(folder, "cache", name), then, then);
    };
    for (const [at, hash] of ["a", "b", "c"].entries()) {
      keep(hash);
      age(`build-${hash}`, 60 - at);
    }
    mkdirSync(join(folder, "cache/unfinished-new"));
    mkdirSync(join(folder, "cache/unfinished-old"));
    age("unfinished-old", 61);
    restore("a");
    keep("d");
    expect(readdirSync(join(folder, "cache")).toSorted()).toEqual(["build-a", "build-c", "build-d", "unfinished-new"]);
  });

  it("keeps files of other programs in its folder", () => {
    write("cache/letter.txt", "text");
    for (const hash of ["a", "b", "c", "d"]) keep(hash);
    expect(readdirSync(join(folder, "cache"))).toContain("letter.txt");
    expect(readdirSync(join(folder, "cache"))).toHaveLength(4);
  });

  it("throws and caches nothing if a file is missing", () => {
    expect(() => cacheOf("same").store("core", join(folder, "dist"), [...files, "missing.mjs"])).toThrow("missing.mjs");
    expect(restore("same")).toBeUndefined();
    expect(readdirSync(join(folder, "cache"))).toEqual(["build-same"]);
  });
});

it.each([
  [{ LANDSCAPER_BUILD_CACHE: "/b", XDG_CACHE_HOME: "/c" }, "/b"],
  [{ XDG_CACHE_HOME: "/c" }, "/c/landscaper-build"],
  [{ LANDSCAPER_BUILD_CACHE: "", XDG_CACHE_HOME: "/c" }, "/c/landscaper-build"],
  [{ XDG_CACHE_HOME: "c" }, join(homedir(), ".cache/landscaper-build")],
])("with %p, caches builds in %s", (env, expected) => {
  expect(buildCacheFolder(env)).toBe(expected);
});
