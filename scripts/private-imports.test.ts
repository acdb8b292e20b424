import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";

const root = join(import.meta.dirname, "..");

interface Reviewed {
  readonly files: RegExp;
  /** The version whose files were looked at. */
  readonly version: string;
  /** Why it is not the public interface that is imported. */
  readonly reason: string;
  /** What shows that they do what their importers want. */
  readonly behaviour: string;
}

/** Private files of dependencies that are imported all the same. A dependency may move or change them in any release. */
const reviewed: Readonly<Record<string, Reviewed>> = {
  undici: {
    files: /^undici\/lib\/(api\/api-request|dispatcher\/pool)\.js$/,
    version: "8.12.4",
    reason: "its index takes three times as long to load",
    behaviour: "libs/controller-runtime/src/client/undici-modules.test.ts",
  },
  ajv: {
    files: /^ajv\/dist\/refs\/.*\.json$/,
    version: "8.20.0",
    reason: "the schemas of schemas are data, and its validators take long to load",
    behaviour: "libs/helm/src/values/schema/check-schemas.test.ts",
  },
  "@kubernetes/client-node": {
    files: /^@kubernetes\/client-node\/dist\/exec_auth\.js$/,
    version: "2.0.1",
    reason: "all of it costs most of the start-up time",
    behaviour: "libs/controller-runtime/src/client/connection/kubeconfig.test.ts",
  },
};

/** Paths that the documentation of a package tells its users to import. */
const documented = /^ajv\/dist\/(20(19|20)|standalone\/index)\.js$/;

interface Import {
  readonly file: string;
  readonly specifier: string;
}

/** Imports of files inside other packages, such as "undici/lib/api/api-request.js". */
function listInnerImports(): readonly Import[] {
  const exclude = ["**/node_modules/**", "**/dist/**", "**/testdata/**"];
  const files = globSync("{libs,services,test-e2e,scripts}/**/*.{ts,mjs}", { cwd: root, exclude });
  const pattern = /(?:\bfrom|\bimport|\brequire|\bresolve)\s*\(?\s*"((?:@[\w.-]+\/)?[a-z][\w.-]*\/[^"\s]+)"/g;
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(pattern)]
      .map(([, specifier = ""]) => ({ file, specifier }))
      .filter(({ specifier }) => !specifier.startsWith("@landscaper/")),
  );
}

function nameOf(specifier: string): string {
  return /^((?:@[^/]+\/)?[^/]+)\//.exec(specifier)?.[1] ?? specifier;
}

/** package.json of a dependency as the importer finds it; undefined for a text that looks like an import. */
function manifestFor({
  file,
  specifier,
}: Import): { readonly version: string; readonly exports?: unknown } | undefined {
  for (let dir = dirname(join(root, file)); dir.startsWith(root); dir = dirname(dir)) {
    const manifest = join(dir, "node_modules", nameOf(specifier), "package.json");
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  }
  return undefined;
}

/** Whether the file is inside of a package that does not say what it exports: Node refuses what "exports" does not name. */
function isPrivate(each: Import): boolean {
  if (documented.test(each.specifier) || each.specifier.endsWith("/package.json")) return false;
  const manifest = manifestFor(each);
  return manifest !== undefined && manifest.exports === undefined;
}

describe("private files of dependencies", () => {
  const found = listInnerImports().filter(isPrivate);

  it("are imported only where they were reviewed", () => {
    const others = found.filter(({ specifier }) => reviewed[nameOf(specifier)]?.files.test(specifier) !== true);
    expect(others).toEqual([]);
  });

  it.each(Object.entries(reviewed))("of %s were reviewed in the installed version", (name, review) => {
    const used = found.filter(({ specifier }) => nameOf(specifier) === name);
    const files = [...new Set(used.map(({ specifier }) => specifier))].join(" ");
    const advice = `compare ${files} of both versions, run ${review.behaviour}, then raise the version here; they are imported because ${review.reason}`;
    const [first = { file: "", specifier: name }] = used;
    expect({ version: manifestFor(first)?.version, advice }).toEqual({ version: review.version, advice });
    expect(existsSync(join(root, review.behaviour))).toBe(true);
  });
});
