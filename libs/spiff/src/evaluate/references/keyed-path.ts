import { pathNames, type Environment } from "../environment.ts";

/** Whether a merge around gives a node, or an insertion, another path in stubs than its own. */
export function isRedirected({ path, stubPath }: Environment): boolean {
  const names = pathNames(path);
  const own = pathNames(stubPath);
  const node = isInsertPath(names) ? names.slice(0, -1) : names;
  // An insertion of a list looks where the list does.
  const isOfList = isInsertPath(names) && isEntry(node.at(-1)) && !isEntry(own.at(-1));
  return withKeys(isOfList ? node.slice(0, -1) : node, own).join(".") !== own.join(".");
}

/** The same, but not only because a control in a list looks where the list does. */
export function isElsewhere(environment: Environment): boolean {
  const own = pathNames(environment.path);
  const node = isInsertPath(own) ? own.slice(0, -1) : own;
  const [a, b] = [node, pathNames(environment.stubPath)].map((path) => path.filter((step) => !isEntry(step)).join("."));
  return isRedirected(environment) && a !== b;
}

function isEntry(step = ""): boolean {
  return step.startsWith("[") || step.includes(":");
}

/** The path of an insertion. */
export function isInsertPath(path: readonly string[]): boolean {
  return ["<<", "<<<"].includes(path.at(-1) ?? "");
}

/** The path of a node with the keys of list entries, up to where the fields around look elsewhere into stubs. */
export function withKeys(path: readonly string[], stubPath: readonly string[]): readonly string[] {
  const shift = stubPath.length - path.length;
  const isSame = (name: string, index: number): boolean => {
    const step = stubPath[index + shift];
    return step === name || (name.startsWith("[") && step?.includes(":") === true);
  };
  const last = path.findLastIndex((name, index) => !isSame(name, index));
  return path.map((name, index) => (index > last ? (stubPath[index + shift] ?? name) : name));
}
