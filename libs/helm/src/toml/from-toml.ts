import { type GoMap, type Value, quote } from "@landscaper/golang";
import { TomlCursor } from "./toml-cursor.ts";
import { TomlError } from "./toml-error.ts";
import { readNumber, readSpecial } from "./toml-number.ts";
import { TomlTables } from "./toml-tables.ts";
import { readQuotedKey, readText } from "./toml-text.ts";

/**
 * The value of a TOML 1.1 text with the types that Helm's library (BurntSushi/toml) gives: int64, float64, time.Time,
 * lists of tables as []map[string]interface {}. Throws TomlError with its words, which may quote a word of the text.
 */
export function fromToml(text: string): GoMap {
  if (text.slice(0, 6).includes("\0")) {
    throw new TomlError(
      "toml: line 1: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8",
    );
  }
  return new TomlReader(text.replace(/^\ufeff/, "")).read();
}

class TomlReader {
  readonly #cursor: TomlCursor;
  readonly #tables: TomlTables;

  constructor(text: string) {
    this.#cursor = new TomlCursor(text);
    this.#tables = new TomlTables(this.#cursor);
  }

  read(): GoMap {
    const cursor = this.#cursor;
    let table = this.#tables.root;
    for (;;) {
      cursor.skipLines();
      if (cursor.peek() === "") return this.#tables.root;
      if (cursor.take("[")) table = this.#readHeader();
      else {
        const outer = cursor.context;
        this.#readEntry(table);
        cursor.context = outer;
        cursor.key = undefined;
      }
      this.#endItem();
    }
  }

  #endItem(): void {
    const cursor = this.#cursor;
    cursor.skipSpace();
    cursor.skipComment();
    if (cursor.startsWith("\r\n")) cursor.next();
    if (cursor.peek() === "" || cursor.take("\n")) return;
    const wanted = "expected a top-level item to end with a newline, comment, or EOF";
    cursor.fail(`${wanted}, but got ${cursor.quoted()} instead`);
  }

  #readHeader(): GoMap {
    const cursor = this.#cursor;
    const isListed = cursor.take("[");
    const path = this.#readTableName();
    if (isListed && !cursor.take("]")) {
      const message = `expected end of table array name delimiter ']', but got ${cursor.quoted()} instead`;
      cursor.fail(message, this.#lineOfFound());
    }
    cursor.context = [];
    const table = isListed ? this.#tables.openListed(path) : this.#tables.openTable(path);
    cursor.context = path;
    return table;
  }

  /** Up to the first closing bracket. */
  #readTableName(): string[] {
    const cursor = this.#cursor;
    const path: string[] = [];
    for (;;) {
      cursor.skipSpace();
      if (cursor.peek() === "]" || cursor.peek() === "") {
        cursor.fail("unexpected end of table name (table names cannot be empty)");
      }
      if (cursor.peek() === ".") cursor.fail("unexpected table separator (table names cannot be empty)");
      path.push(this.#readKeyPart());
      cursor.skipSpace();
      if (cursor.take("]")) return path;
      if (!cursor.take(".")) {
        const message = `expected '.' or ']' to end table name, but got ${cursor.quoted()} instead`;
        cursor.fail(message, this.#lineOfFound());
      }
    }
  }

  /** A line break that stands in the way is counted. */
  #lineOfFound(): number {
    return this.#cursor.line + (this.#cursor.peek() === "\n" ? 1 : 0);
  }

  #readKeyPart(): string {
    const cursor = this.#cursor;
    return /^["']$/.test(cursor.peek()) ? readQuotedKey(cursor) : cursor.takeAll(/[A-Za-z0-9_-]+/y);
  }

  /** `key = value` in a table. */
  #readEntry(table: GoMap): void {
    const cursor = this.#cursor;
    const path = this.#readKey();
    const name = path.at(-1) ?? "";
    cursor.context = [...cursor.context, ...path.slice(0, -1)];
    cursor.key = name;
    const inner = this.#tables.tableOf(table, path.slice(0, -1));
    cursor.skipSpace();
    const value = this.#readValue();
    this.#tables.define(inner, { name, value });
  }

  #readKey(): string[] {
    const cursor = this.#cursor;
    const first = cursor.peek();
    if (first === "=" || first === "") cursor.fail("unexpected '=': key name appears blank");
    if (first === ".") cursor.fail("unexpected '.': keys cannot start with a '.'");
    const path: string[] = [];
    for (;;) {
      path.push(this.#readKeyPart());
      cursor.skipSpace();
      if (cursor.take("=")) return path;
      if (cursor.peek() === "") cursor.fail("unexpected EOF; expected key separator '='");
      if (!cursor.take(".")) cursor.fail(`expected '.' or '=', but got ${cursor.quoted()} instead`);
      cursor.skipSpace();
      const next = cursor.peek();
      if (next === "=" || next === "") cursor.fail("unexpected '='");
      if (next === ".") cursor.fail("unexpected '.'");
    }
  }

  #readValue(): Value {
    const cursor = this.#cursor;
    const first = cursor.peek();
    if (first === '"' || first === "'") return readText(cursor);
    if (/^[0-9+-]$/.test(first)) return readNumber(cursor);
    switch (first) {
      case "":
        return cursor.fail("unexpected EOF; expected value");
      case "[":
        return this.#readList();
      case "{":
        return this.#readInlineTable();
      case ".":
        return cursor.fail("floats must start with a digit, not '.'");
      default:
        return this.#readWord();
    }
  }

  #readWord(): Value {
    const cursor = this.#cursor;
    if (cursor.startsWith("inf") || cursor.startsWith("nan")) return readSpecial(cursor);
    const quoted = cursor.quoted();
    const { pos } = cursor;
    const word = cursor.takeAll(/\p{L}+/uy);
    if (word === "true") return true;
    if (word === "false") return false;
    cursor.pos = pos;
    return cursor.fail(`expected value but found ${word === "" ? quoted : quote(word)} instead`);
  }

  #readList(): Value {
    const cursor = this.#cursor;
    cursor.next();
    const list: Value[] = [];
    for (;;) {
      cursor.skipLines();
      if (cursor.peek() === ",") cursor.fail("unexpected comma");
      if (cursor.take("]")) return list;
      list.push(this.#readNested());
      cursor.skipLines();
      if (cursor.take("]")) return list;
      if (!cursor.take(",")) {
        const found = cursor.peek() === "" ? "end of file" : cursor.quoted();
        cursor.fail(`expected a comma (',') or array terminator (']'), but got ${found}`);
      }
    }
  }

  /** A value in a list: tables in it do not change the key of what follows. */
  #readNested(): Value {
    const cursor = this.#cursor;
    const { context, key } = cursor;
    const value = this.#readValue();
    cursor.context = context;
    cursor.key = key;
    return value;
  }

  #readInlineTable(): Value {
    const cursor = this.#cursor;
    cursor.next();
    const table: GoMap = new Map();
    const outer = cursor.context;
    const outerKey = cursor.key;
    const context = outerKey === undefined ? outer : [...outer, outerKey];
    cursor.context = context;
    cursor.key = undefined;
    for (;;) {
      cursor.skipLines();
      if (cursor.peek() === ",") cursor.fail("unexpected comma");
      if (cursor.peek() === "}") break;
      this.#readEntry(table);
      cursor.context = context;
      cursor.skipLines();
      if (cursor.peek() === "}") break;
      if (!cursor.take(",")) {
        const found = cursor.peek() === "" ? "end of file" : cursor.quoted();
        cursor.fail(`expected a comma or an inline table terminator '}', but got ${found} instead`);
      }
    }
    cursor.next();
    cursor.context = outer;
    cursor.key = outerKey;
    return table;
  }
}
