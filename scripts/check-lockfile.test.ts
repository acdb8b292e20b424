import { expect, it } from "@jest/globals";
import { checkLockfile, type DependencyManifest } from "./check-lockfile.ts";

const lockfile = `importers:

  .:
    devDependencies:
      yaml:
        specifier: 'catalog:'
        version: 2.9.1

  libs/a:
    dependencies:
      '@landscaper/json':
        specifier: workspace:*
        version: link:../json

  libs/json: {}
`;
const manifests = {
  ".": { devDependencies: { yaml: "catalog:" } },
  "libs/a": { dependencies: { "@landscaper/json": "workspace:*" } },
};

const check = (changed: Readonly<Record<string, DependencyManifest>>): string[] =>
  checkLockfile(lockfile, new Map(Object.entries({ ...manifests, "libs/json": {}, ...changed })));

it.each<[string, Readonly<Record<string, DependencyManifest>>, readonly string[]]>([
  ["equal files", {}, []],
  [
    "a new dependency",
    { "libs/json": { dependencies: { yaml: "catalog:" } } },
    ['pnpm-lock.yaml: libs/json: dependencies: yaml: expected "catalog:", as in libs/json/package.json, found none'],
  ],
  [
    "a removed dependency",
    { "libs/a": {} },
    [
      'pnpm-lock.yaml: libs/a: dependencies: @landscaper/json: expected none, as in libs/a/package.json, found "workspace:*"',
    ],
  ],
  [
    "another version",
    { ".": { devDependencies: { yaml: "2.9.2" } } },
    ['pnpm-lock.yaml: .: devDependencies: yaml: expected "2.9.2", as in package.json, found "catalog:"'],
  ],
  [
    "a dependency in another field",
    { "libs/a": { devDependencies: { "@landscaper/json": "workspace:*" } } },
    [
      'pnpm-lock.yaml: libs/a: dependencies: @landscaper/json: expected none, as in libs/a/package.json, found "workspace:*"',
      'pnpm-lock.yaml: libs/a: devDependencies: @landscaper/json: expected "workspace:*", as in libs/a/package.json, found none',
    ],
  ],
  [
    "a new package",
    { "libs/b": { dependencies: { yaml: "catalog:" } } },
    ['pnpm-lock.yaml: libs/b: dependencies: yaml: expected "catalog:", as in libs/b/package.json, found none'],
  ],
])("checkLockfile reports %s", (_name, changed, expected) => {
  expect(check(changed)).toEqual(expected);
});
