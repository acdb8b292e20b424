import type { SourceFile } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

/** The sources of one TypeScript project. Close them: they hold a process. */
export interface TypedSources extends Disposable {
  /** Parses a file of the project. Throws if it is not one. */
  readonly parse: (path: string) => SourceFile;
  /** Returns true if another text of a file has no syntax error. */
  readonly parsesWith: (path: string, text: string) => boolean;
  /** Returns true if a file compiles with another text. The file itself does not change. Takes up to seconds where types are complex. */
  readonly compilesWith: (path: string, text: string) => boolean;
}

/** Codes of errors about code that is not used or not reached: such a mutant still runs. */
const ignoredCodes: ReadonlySet<number> = new Set([6133, 6138, 6192, 6196, 6198, 6199, 7027]);

/** Opens the project of a tsconfig.json; paths are absolute. */
export function openSources(config: string): TypedSources {
  /** The one file that has another text than on disk. */
  let changed: readonly [path: string, text: string] | undefined;
  const api = new API({ fs: { readFile: (path) => (changed?.[0] === path ? changed[1] : undefined) } });
  let snapshot = api.updateSnapshot({ openProjects: [config] });
  const programOf = () => {
    const project = snapshot.getProject(config);
    if (project === undefined) throw new Error(`${config}: the compiler does not find this project`);
    return project.program;
  };
  const change = (next: typeof changed): void => {
    const paths = [changed?.[0], next?.[0]].filter((path) => path !== undefined);
    changed = next;
    // The compiler keeps what the latest snapshot has in common with the one before.
    const previous = snapshot;
    snapshot = api.updateSnapshot({ fileChanges: { changed: [...new Set(paths)] } });
    previous.dispose();
  };
  const parsesWith = (path: string, text: string): boolean => {
    change([path, text]);
    return programOf().getSyntacticDiagnostics(path).length === 0;
  };
  return {
    parse: (path) => {
      if (changed !== undefined) change(undefined);
      const source = programOf().getSourceFile(path);
      if (source === undefined) throw new Error(`${config}: expected ${path} in "include" of this file`);
      return source;
    },
    parsesWith,
    compilesWith: (path, text) =>
      parsesWith(path, text) &&
      programOf()
        .getSemanticDiagnostics(path)
        .every(({ code }) => ignoredCodes.has(code)),
    [Symbol.dispose]: () => api.close(),
  };
}
