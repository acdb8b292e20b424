import { baseName, cleanPath, define, directoryName, extensionOf, type FunctionMap } from "@landscaper/golang";

const base = define(["string"], ([path]) => baseName(path));
const dir = define(["string"], ([path]) => directoryName(path));
const clean = define(["string"], ([path]) => cleanPath(path));
const ext = define(["string"], ([path]) => extensionOf(path));
const isAbs = define(["string"], ([path]) => path.startsWith("/"));

/** The os* variants are those of a Unix system. */
export const pathFunctions: FunctionMap = {
  base,
  dir,
  clean,
  ext,
  isAbs,
  osBase: base,
  osDir: dir,
  osClean: clean,
  osExt: ext,
  osIsAbs: isAbs,
};
