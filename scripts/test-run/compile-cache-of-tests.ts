import { join } from "node:path";

/** Node's compile cache for jest workers and the processes that they start: stripping types and compiling takes longer than most tests. */
export const compileCacheOfTests: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../../node_modules/.cache/node"),
};
