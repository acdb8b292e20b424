import type { Value } from "../value/value.ts";
import type { Environment } from "../evaluate/environment.ts";
import { failLocally, quoting } from "../evaluate/failure.ts";
import type { Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";
import { parseText } from "./encoding-functions.ts";

/** Reading of files that the caller lends: those of a blueprint. Nothing else can be read (spiff.md §1.1). */
export const fileFunctions = defineFunctions({ read });

function read(args: Arguments, environment: Environment): Value {
  args.count(1, 2);
  const { files } = environment.document.host;
  const path = args.text(0);
  const mode = args.length > 1 ? args.text(1) : defaultMode(path);
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(path))
    return failLocally("read: only files of the blueprint can be read, no URLs");
  if (files === undefined) return failLocally("read: there are no files here");
  if (!files.has(path)) return failLocally(quoting`error reading [${path}]: no such file`);
  return parseText(files.readText(path), mode, { name: path, environment });
}

function defaultMode(path: string): string {
  return /\.(?:ya?ml|json)$/.test(path) ? "yaml" : "text";
}
