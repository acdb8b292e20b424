import { askGit } from "../working-tree.ts";

/** Returns the number of commits up to HEAD, which selects the share of tests of a run; "0" outside a checkout. */
export function countCommits(root: string): string {
  return /^\d+/.exec(askGit(root, "rev-list", "--count", "HEAD") ?? "")?.[0] ?? "0";
}

/** Returns a warning for a shallow clone; undefined for any other clone. */
export function describeShallowClone(root: string): string | undefined {
  if (askGit(root, "rev-parse", "--is-shallow-repository")?.trim() !== "true") return undefined;
  return "This clone is shallow, so its number of commits is too low and every run selects the same slow tests. Run git fetch --unshallow, or set E2E_TURN.";
}
