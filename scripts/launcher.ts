/**
 * Of V8, for a program whose calls are over before what V8 learns of them pays off: it optimizes code later. On six small charts that saved 14 % of
 * the processor time of a rendering (Node 24.21); large charts took as long as before.
 */
export const shortCalls: readonly string[] = [
  "--invocation-count-for-maglev=8000",
  "--invocation-count-for-maglev-osr=4000",
  "--invocation-count-for-turbofan=20000",
  "--invocation-count-for-osr=8000",
];

/**
 * The file that users start. `v8Flags` are set as it starts: V8 takes no compiled code that was made with other flags, so that Node would compile
 * its own modules anew, did it get them by its command line.
 * V8's compiled code is kept between runs: beside the bundles, where those who can write it could
 * write the bundles, too; where that folder cannot be written, in the user's cache; nowhere when neither can be.
 */
export function launcherOf(name: string, v8Flags: readonly string[] = []): string {
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
${settingOf(v8Flags)}await import("./bundles/${name}/${name}.mjs");
`;
}

function settingOf(v8Flags: readonly string[]): string {
  return v8Flags.map((flag) => `process.getBuiltinModule("node:v8").setFlagsFromString("${flag}");\n`).join("");
}
