import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { buildCacheFolder, explainUnsafeFolder, openBundleCache, readSources } from "./bundle-cache.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bundle-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe("readSources", () => {
  const hashNow = (): string | undefined => readSources(folder)?.hash;
  const hashWith = (path: string, text: string): string | undefined => {
    write(path, text);
    return hashNow();
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
    const before = hashNow();
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
    const before = hashNow();
    expect(hashWith(path, "2")).toBe(before);
  });

  it("returns undefined outside a checkout", () => {
    rmSync(join(folder, ".git"), { recursive: true });
    expect(readSources(folder)).toBeUndefined();
  });

  it("returns undefined for links and nested repositories, whose content it does not know", () => {
    symlinkSync(tmpdir(), join(folder, "libs/link"));
    expect(readSources(folder)).toBeUndefined();
    rmSync(join(folder, "libs/link"));
    expect(readSources(folder)).toBeDefined();
    mkdirSync(join(folder, "libs/nested"));
    spawnSync("git", ["init", "--quiet"], { cwd: join(folder, "libs/nested") });
    write("libs/nested/a.ts", "1");
    expect(readSources(folder)).toBeUndefined();
  });

  it("notices a change that was undone, and a new or removed source", () => {
    const changes: readonly (() => void)[] = [
      () => {
        write("libs/json/src/index.ts", "2");
        write("libs/json/src/index.ts", "1");
      },
      () => write("libs/json/src/new.ts", "1"),
      () => rmSync(join(folder, "libs/json/src/new.ts")),
    ];
    for (const change of changes) {
      const sources = readSources(folder);
      expect(sources?.isUnchanged()).toBe(true);
      change();
      expect(sources?.isUnchanged()).toBe(false);
    }
  });

  it("knows which files its hash covers", () => {
    write(".gitignore", "dist\nmine.ts\n");
    write("libs/json/src/mine.ts", "1");
    const sources = readSources(folder);
    const files = ["libs/json/src/index.ts", "libs/json/src/mine.ts"];
    expect(files.map((file) => sources?.has(file))).toEqual([true, false]);
  });
});

describe("openBundleCache", () => {
  /** A hash for the name of sources. */
  const hashOf = (name: string): string => createHash("sha256").update(name).digest("hex");
  const same = `build-${hashOf("same")}`;
  const cacheOf = (name: string) => openBundleCache(join(folder, "cache"), hashOf(name));
  const files = ["core.mjs", "bundles/core/a.mjs"];
  const contents = new Map(files.map((file) => [file, `text of ${file}`]));
  const keep = (name: string): void => cacheOf(name).store("core", contents);
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
    cacheOf("same").store("core", new Map([["core.mjs", "text of another process"]]));
    restore("same");
    expect(readFileSync(join(folder, "restored/core.mjs"), "utf8")).toBe("text of core.mjs");
    expect(readdirSync(join(folder, "cache"))).toEqual([same]);
  });

  it("restores files that are independent of the cached ones", () => {
    keep("same");
    restore("same");
    write("restored/core.mjs", "changed");
    restore("same");
    expect(readFileSync(join(folder, "restored/core.mjs"), "utf8")).toBe("text of core.mjs");
  });

  it("keeps the three most recently used builds, and removes unfinished ones after an hour", () => {
    const [newest, abandoned] = [randomUUID(), randomUUID()].map((id) => `unfinished-${id}`) as [string, string];
    const age = (name: string, minutes: number): void => {
      const then = new Date(Date.now() - minutes * 60_000);
      utimesSync(join(folder, "cache", name), then, then);
    };
    for (const [at, hash] of ["a", "b", "c"].entries()) {
      keep(hash);
      age(`build-${hashOf(hash)}`, 60 - at);
    }
    for (const name of [newest, abandoned]) mkdirSync(join(folder, "cache", name));
    age(abandoned, 61);
    restore("a");
    keep("d");
    const kept = ["a", "c", "d"].map((hash) => `build-${hashOf(hash)}`);
    expect(readdirSync(join(folder, "cache")).toSorted()).toEqual([...kept, newest].toSorted());
  });

  it("keeps files of other programs in its folder, whatever their names and ages", () => {
    const others = ["letter.txt", "build-debug", "build-release", "build-thesis", "build-notes", "unfinished-novel"];
    const then = new Date(0);
    for (const name of others) {
      write(`cache/${name}/text`, "text");
      utimesSync(join(folder, "cache", name), then, then);
    }
    for (const hash of ["a", "b", "c", "d"]) keep(hash);
    expect(readdirSync(join(folder, "cache"))).toEqual(expect.arrayContaining(others));
    expect(readdirSync(join(folder, "cache"))).toHaveLength(others.length + 3);
  });

  it.each([
    ["an empty file", () => write(`cache/${same}/core/files/core.mjs`, "")],
    ["a truncated file", () => write(`cache/${same}/core/files/core.mjs`, "text")],
    ["a missing file", () => rmSync(join(folder, `cache/${same}/core/files/bundles/core/a.mjs`))],
    ["a truncated manifest", () => write(`cache/${same}/core/manifest.json`, '{"core.mjs":')],
    ["a manifest of another kind", () => write(`cache/${same}/core/manifest.json`, "null")],
    ["a manifest without files", () => write(`cache/${same}/core/manifest.json`, "{}")],
    ["a list as manifest", () => write(`cache/${same}/core/manifest.json`, "[]")],
    [
      "a file instead of the folder",
      () => {
        rmSync(join(folder, `cache/${same}/core`), { recursive: true });
        write(`cache/${same}/core`, "");
      },
    ],
  ])("restores nothing of an entry with %s, and replaces the entry", (_what, damage) => {
    keep("same");
    damage();
    expect(restore("same")).toBeUndefined();
    expect(existsSync(join(folder, "restored"))).toBe(false);
    keep("same");
    expect(restore("same")?.toSorted()).toEqual(files.toSorted());
    expect(readdirSync(join(folder, "cache"))).toEqual([same]);
  });

  it("lets only the user write its folder", () => {
    keep("same");
    expect(statSync(join(folder, "cache")).mode & 0o777).toBe(0o700);
  });

  it("throws and caches nothing if it cannot write", () => {
    write("cache", "a file");
    expect(() => keep("same")).toThrow("EEXIST");
    expect(restore("same")).toBeUndefined();
  });
});

describe("explainUnsafeFolder", () => {
  const explain = (uid: number, mode: number) => explainUnsafeFolder("/c", { uid, mode }, 1000);

  it("accepts a folder that only the user can write, and a missing one", () => {
    expect([explain(1000, 0o40700), explain(1000, 0o40755)]).toEqual([undefined, undefined]);
    expect(explainUnsafeFolder("/c", undefined, 1000)).toBeUndefined();
  });

  it("names the owner, or the mode", () => {
    expect(explain(7, 0o40700)).toBe(
      "/c: expected a folder of user 1000, found one of user 7. Set LANDSCAPER_BUILD_CACHE to a folder that only you can write.",
    );
    expect(explain(1000, 0o41777)).toBe(
      "/c: expected a folder that only its owner can write, found mode 777. Run chmod go-w /c, or set LANDSCAPER_BUILD_CACHE to another folder.",
    );
    expect(explain(1000, 0o40775)).toContain("mode 775");
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
