import { type GoMap, type GoSlice, type Value, isMap, isSlice, withType } from "@landscaper/golang";
import type { TomlCursor } from "./toml-cursor.ts";

const tableList = { name: "[]map[string]interface {}", element: "map[string]interface {}" };

/** The tables of a document, and who may add to which. */
export class TomlTables {
  readonly root: GoMap = new Map();
  readonly #cursor: TomlCursor;
  /** Tables that exist only because others within them do: they may still be defined. */
  readonly #implicit = new Set<Value>();
  readonly #listed = new WeakSet<GoSlice>();

  constructor(cursor: TomlCursor) {
    this.#cursor = cursor;
  }

  /** `[path]`: the table to fill. */
  openTable(path: readonly string[]): GoMap {
    const { parent, name } = this.#parentOf(path);
    return this.define(parent, { name, value: new Map() });
  }

  /** `[[path]]`: one more table of a list. */
  openListed(path: readonly string[]): GoMap {
    const { parent, name } = this.#parentOf(path);
    let list = parent.get(name);
    if (list === undefined) {
      list = withType<GoSlice>([], tableList);
      this.#listed.add(list);
      parent.set(name, list);
    }
    if (!isSlice(list) || !this.#listed.has(list)) {
      return this.#cursor.fail(`Key '${path.join(".")}' was already created and cannot be used as an array.`);
    }
    const table: GoMap = new Map();
    list.push(table);
    return table;
  }

  /** The table that a dotted key's last part stands in. */
  tableOf(table: GoMap, path: readonly string[]): GoMap {
    let current = table;
    for (const [i, name] of path.entries()) {
      const known = current.get(name);
      const next = known === undefined ? this.#addImplicit(current, name) : this.#tableIn(known);
      if (next === undefined) {
        const names = this.#cursor.context.slice(0, this.#cursor.context.length - path.length + i + 1);
        return this.#cursor.fail(`Key '${names.join(".")}' has already been defined.`);
      }
      current = next;
    }
    return current;
  }

  /** Sets a key; a table that was only implied is kept. Gives the table that stands there now. */
  define<T extends Value>(table: GoMap, { name, value }: { name: string; value: T }): T | GoMap {
    const known = table.get(name);
    if (known === undefined) {
      table.set(name, value);
      return value;
    }
    if (!isMap(known) || !this.#implicit.has(known)) {
      return this.#cursor.fail(`Key '${[...this.#cursor.context, name].join(".")}' has already been defined.`);
    }
    this.#implicit.delete(known);
    return known;
  }

  #parentOf(path: readonly string[]): { parent: GoMap; name: string } {
    let parent = this.root;
    for (const [i, name] of path.slice(0, -1).entries()) {
      const known = parent.get(name);
      const next = known === undefined ? this.#addImplicit(parent, name) : this.#tableIn(known);
      if (next === undefined) {
        return this.#cursor.fail(`Key '${path.slice(0, i + 1).join(".")}' was already created as a hash.`);
      }
      parent = next;
    }
    this.#cursor.context = path.slice(0, -1);
    return { parent, name: path.at(-1) ?? "" };
  }

  #addImplicit(table: GoMap, name: string): GoMap {
    const added: GoMap = new Map();
    table.set(name, added);
    this.#implicit.add(added);
    return added;
  }

  /** The table itself, or the last one of a list of tables. */
  #tableIn(value: Value): GoMap | undefined {
    if (isMap(value)) return value;
    const last = isSlice(value) && this.#listed.has(value) ? value.at(-1) : undefined;
    return isMap(last) ? last : undefined;
  }
}
