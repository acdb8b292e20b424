import { type GoFunction, GoObject, type Value, define, int64 } from "@landscaper/golang";
import type { BlueprintEntry } from "../blueprint-source.ts";

/** An entry of readDir: what templates see of Go's os.FileInfo. */
class FileInfo extends GoObject {
  readonly typeName = "*blueprint.FileInfo";
  readonly #entry: BlueprintEntry;

  constructor(entry: BlueprintEntry) {
    super();
    this.#entry = entry;
  }

  override method(name: string): GoFunction | undefined {
    const value = this.#read(name);
    return value === undefined ? undefined : define([], () => value);
  }

  #read(name: string): Value {
    switch (name) {
      case "Name":
        return this.#entry.name;
      case "IsDir":
        return this.#entry.isDirectory;
      case "Size":
        return int64(this.#entry.size);
      default:
        return undefined;
    }
  }

  override toJSON(): unknown {
    return {};
  }
}

export function fileInfo(entry: BlueprintEntry): GoObject {
  return new FileInfo(entry);
}
