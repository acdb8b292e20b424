import { listOf, mapOf } from "../value/build-value.ts";
import type { MapValue } from "../value/value.ts";
import { pathNames, type Environment } from "./environment.ts";

/** What `__ctx` tells about the place of an expression. Files have no directories here: there is no host access. */
export function contextValue(environment: Environment): MapValue {
  const { document } = environment;
  const hasBindings = document.bindings.cells.size > 0;
  const path = pathNames(environment.path);
  return mapOf([
    ["VERSION", "v1.7.0-beta-7"],
    ["FILE", document.name],
    ["DIR", "."],
    ["RESOLVED_FILE", document.name],
    ["RESOLVED_DIR", "."],
    ["PATHNAME", path.join(".")],
    ["PATH", listOf(path)],
    ["STUBPATH", listOf(pathNames(environment.stubPath))],
    ...(hasBindings ? ([["OUTER", listOf([document.bindings])]] as const) : []),
    ["BINDINGS", hasBindings ? document.bindings : listOf([])],
  ]);
}
