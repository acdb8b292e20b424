import { join } from "node:path";

/**
 * Where Node keeps what it has compiled of modules, for workers of jest and for all that they start: to strip types and compile anew takes each process longer
 * than most tests. Node notices by itself when a file has changed.
 */
export const compileCacheOfTests: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../../node_modules/.cache/node"),
};
