import { posix } from "node:path";
import { listOf, mapOf } from "../../value/build-value.ts";
import type { MapValue, Value } from "../../value/value.ts";
import { withKeys } from "./keyed-path.ts";
import { pathNames, type DocumentRun, type Environment } from "../environment.ts";

/** What `__ctx` tells about the place of an expression; paths are those of the name as text, whatever it stands for. */
export function contextValue(environment: Environment): MapValue {
  const { document } = environment;
  const hasBindings = document.bindings.cells.size > 0;
  const file = document.outer === undefined ? document.name : "dynaml";
  const outer = [...documentsAround(document), ...(hasBindings ? [document.bindings] : [])];
  const path = withKeys(pathNames(environment.path), pathNames(environment.stubPath));
  return mapOf([
    ["VERSION", "v1.7.0-beta-7"],
    ["FILE", file],
    ["DIR", posix.dirname(posix.normalize(file))],
    ["RESOLVED_FILE", posix.normalize(file)],
    ["RESOLVED_DIR", posix.dirname(posix.normalize(file))],
    ["PATHNAME", path.join(".")],
    ["PATH", listOf(path)],
    ["STUBPATH", listOf(pathNames(environment.stubPath))],
    ...(outer.length > 0 ? ([["OUTER", listOf(outer)]] as const) : []),
    ["BINDINGS", hasBindings ? document.bindings : listOf([])],
  ]);
}

/** Roots of the documents around a nested merge, innermost first. */
function documentsAround(document: DocumentRun): Value[] {
  const roots: Value[] = [];
  for (let { outer } = document; outer !== undefined; { outer } = outer) {
    if (outer.root !== undefined && outer.root.state !== "new") roots.push(outer.root.value);
  }
  return roots;
}
