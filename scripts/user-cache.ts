import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The user's folder for caches: XDG_CACHE_HOME if it is an absolute path, otherwise `~/.cache`. */
export function userCacheFolder({ XDG_CACHE_HOME = "" }: NodeJS.ProcessEnv): string {
  return isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), ".cache");
}
