import { type CollectionType, NamedMap, type Value, decodeUtf8, define, strings } from "@landscaper/golang";
import { toYaml } from "@landscaper/goyaml";
import { compileGlob } from "../glob/compile-glob.ts";

/** Content by path, for all files of a chart that are no templates. */
export type ChartFiles = ReadonlyMap<string, Uint8Array>;

const filesType: CollectionType = {
  name: "engine.files",
  element: "[]uint8",
  methods: {
    Get: (files) => define(["string"], ([path]) => decodeUtf8(contentOf(files, path))),
    GetBytes: (files) => define(["string"], ([path]) => contentOf(files, path)),
    Glob: (files) =>
      define(["string"], ([pattern], context) => {
        const all = [...filesOf(files)];
        context.charge(all.length * pattern.length);
        // Compiling long patterns is slow; usual ones are kept.
        context.spend(pattern.length * (pattern.length > 200 ? 250 : 1));
        const matches = compileGlob(pattern);
        return filesObject(new Map(all.filter(([path]) => matches(path))));
      }),
    Lines: (files) =>
      define(["string"], ([path], context) => {
        const content = contentOf(files, path);
        context.charge(content.length);
        return linesOf(decodeUtf8(content));
      }),
    AsConfig: (files) => define([], () => asYaml(files, decodeUtf8)),
    AsSecrets: (files) => define([], () => asYaml(files, (data) => Buffer.from(data).toString("base64"))),
  },
};

/** `.Files`: a map of contents by path, with methods. */
export function filesObject(files: ChartFiles): NamedMap {
  return new NamedMap(new Map<string, Value>(files), filesType);
}

function filesOf(files: Value): Map<string, Uint8Array> {
  // Only maps that filesObject has made have these methods.
  return files as Map<string, Uint8Array>;
}

function contentOf(files: Value, path: string): Uint8Array {
  return filesOf(files).get(path) ?? new Uint8Array();
}

function linesOf(text: string): Value {
  if (text === "") return strings([]);
  return strings((text.endsWith("\n") ? text.slice(0, -1) : text).split("\n"));
}

/** A YAML map with the files' names without their folders. */
function asYaml(files: Value, write: (data: Uint8Array) => string): string {
  const byName = new Map(
    [...filesOf(files)].map(([path, data]) => [path.slice(path.lastIndexOf("/") + 1), write(data)]),
  );
  return toYaml(byName).replace(/\n$/, "");
}
