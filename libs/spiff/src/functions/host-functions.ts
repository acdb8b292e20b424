import { failLocally } from "../evaluate/failure.ts";
import type { SpiffFunction } from "./function-table.ts";

const names = [
  "exec",
  "exec_uncached",
  "pipe",
  "pipe_uncached",
  "env",
  "write",
  "tempfile",
  "mkdir",
  "read_uncached",
  "lookup_file_uncached",
  "lookup_dir_uncached",
  "list_files_uncached",
  "list_dirs_uncached",
];

/** Functions of the original that would reach the machine: here they only say that they do not exist. */
export const hostFunctions: readonly [string, SpiffFunction][] = names.map((name) => [
  name,
  () => failLocally(`function '${name}' is not available: templates have no access to the host`),
]);
