import { blueprintError, type BlueprintErrorReason } from "./blueprint-error.ts";
import { suggestFile } from "./blueprint-files.ts";
import type { BlueprintFiles } from "./blueprint-source.ts";

/** The field that names a missing file, and the reason of its error. */
export interface FileReference {
  readonly where: string;
  /** Default: BlueprintFileMissing. */
  readonly reason?: BlueprintErrorReason;
}

/** Returns the error for a path that a blueprint names without having the file. The error names the file in the same folder that is most like it. */
export function missingFile(
  files: BlueprintFiles,
  path: string,
  { where, reason = "BlueprintFileMissing" }: FileReference,
): Error {
  const meant = suggestFile(path, (folder) => (folder === "" || files.has(folder) ? namesIn(files, folder) : []));
  return blueprintError(reason, `${where}: the blueprint has no file ${JSON.stringify(path)}${meant}`, {
    at: [{ file: path }],
    hint: "add the file to the blueprint, or correct its path",
  });
}

/** Empty if the folder is a file. */
function namesIn(files: BlueprintFiles, folder: string): readonly string[] {
  try {
    return files.readDir(folder).map(({ name }) => name);
  } catch {
    return [];
  }
}
