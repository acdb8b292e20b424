/**
 * The file that users start. V8's compiled code is kept between runs: beside the bundles, where those who can write it could
 * write the bundles, too; where that folder cannot be written, in the user's cache; nowhere when neither can be.
 */
export function launcherOf(name: string): string {
  return `// An import statement would read each export of these modules, and so load what those are made of.
const { mkdirSync } = process.getBuiltinModule("node:fs");
const { constants, enableCompileCache } = process.getBuiltinModule("node:module");
// Not recursively: Node never returns from making folders below one that refuses them with ENOENT, such as /proc.
function makeFolder(path) {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    return error.code === "EEXIST";
  }
}
// A Node that is too old has neither; the program says so.
const status = enableCompileCache?.(import.meta.dirname + "/compile-cache").status;
if (status !== undefined && status === constants.compileCacheStatus.FAILED) {
  const { HOME = "", XDG_CACHE_HOME = HOME && HOME + "/.cache" } = process.env;
  const own = XDG_CACHE_HOME + "/landscaper";
  if (XDG_CACHE_HOME.startsWith("/") && makeFolder(XDG_CACHE_HOME) && makeFolder(own)) enableCompileCache(own + "/compile-cache");
}
await import("./bundles/${name}/${name}.mjs");
`;
}
