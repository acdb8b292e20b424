import { readFile } from "node:fs/promises";
import { readSpiffYaml, SpiffError } from "@landscaper/spiff";
import type { CommandContext } from "../command.ts";
import { PrintedError } from "../usage-error.ts";

/** A document of the command line. */
export interface InputDocument {
  /** As given: a path, or "-". */
  readonly name: string;
  readonly text: string;
}

/** Reads files and stdin (`-`), the latter once. */
export class InputReader {
  readonly #readStdin: CommandContext["readStdin"];
  #isStdinRead = false;

  constructor(readStdin: CommandContext["readStdin"]) {
    this.#readStdin = readStdin;
  }

  /** A template or stub. Throws PrintedError. */
  async read(name: string, kind: "template" | "stub"): Promise<InputDocument> {
    if (name !== "-") return { name, text: await readFileAs(name, kind) };
    if (this.#isStdinRead) throw new PrintedError("stdin cannot be used twice\n");
    this.#isStdinRead = true;
    return { name, text: await this.#readStdin() };
  }
}

/** A file with text in it. Throws PrintedError, in the words of the original: "error reading stub [x]: open x: ...". */
export async function readFileAs(path: string, kind: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const shown = path === "" ? "." : path;
    throw new PrintedError(`error reading ${kind} [${shown}]: ${reasonOf(error, path)}\n`);
  }
}

/** A file that need not be there. */
export async function readFileIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}

/** The document of a YAML text. Throws PrintedError. */
export function parseYamlAs({ name, text }: InputDocument, kind: string): unknown {
  try {
    return readSpiffYaml(text, name, kind);
  } catch (error) {
    if (error instanceof SpiffError) throw new PrintedError(`${error.message}\n`);
    throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EISDIR: "is a directory",
  EACCES: "permission denied",
  ENOTDIR: "not a directory",
};

/** Go's words on why a file cannot be read. */
function reasonOf(error: unknown, path: string): string {
  const code = String(Reflect.get(Object(error), "code"));
  return `${code === "EISDIR" ? "read" : "open"} ${path}: ${reasons[code] ?? code}`;
}
