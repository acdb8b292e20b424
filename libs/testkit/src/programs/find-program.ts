import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian keeps daemons and Go its tools, on PATH or not. */
const furtherFolders: readonly string[] = ["/usr/sbin", "/usr/local/bin", "/usr/local/go/bin"];

/** Finds a program on PATH, and where Debian keeps daemons. */
export function findProgram(name: string, path = process.env["PATH"] ?? ""): string | undefined {
  const folders = [...path.split(delimiter), ...furtherFolders];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
