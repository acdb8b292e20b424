import { spawnSync } from "node:child_process";

/** What the sources are, for labels and for the times of files. */
export interface SourceState {
  /** Commit, with "-dirty" when files differ from it; absent outside of a repository. */
  readonly revision?: string;
  /** URL of the repository, without credentials; absent where there is none that others can open. */
  readonly source?: string;
  /** Seconds since 1970 (https://reproducible-builds.org/specs/source-date-epoch/). */
  readonly epoch: number;
}

/** The URL of a git remote as a label shows it: only http(s), since other forms name users or paths of a machine. */
export function publicUrlOf(remote: string): string | undefined {
  if (!URL.canParse(remote)) return undefined;
  const url = new URL(remote);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  return `${url.protocol}//${url.host}${url.pathname}`.replace(/\.git$/, "");
}

/** The times of an image: SOURCE_DATE_EPOCH of the environment, else the time of the commit, else 1970. Throws for what is not a number. */
export function epochOf(variable: string | undefined, commitTime: string): number {
  const text = variable ?? (commitTime === "" ? "0" : commitTime);
  if (!/^\d{1,12}$/.test(text)) throw new Error(`SOURCE_DATE_EPOCH: expected seconds since 1970, found ${text}`);
  return Number(text);
}

/** Asks git about the repository at `root`. */
export function readSourceState(root: string, env: Readonly<NodeJS.ProcessEnv>): SourceState {
  const git = (...args: string[]): string => {
    const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
    return status === 0 ? stdout.trim() : "";
  };
  const commit = git("rev-parse", "HEAD");
  const source = publicUrlOf(git("remote", "get-url", "origin"));
  return {
    ...(commit === "" ? {} : { revision: git("status", "--porcelain") === "" ? commit : `${commit}-dirty` }),
    ...(source === undefined ? {} : { source }),
    epoch: epochOf(env["SOURCE_DATE_EPOCH"], git("log", "-1", "--format=%ct")),
  };
}
