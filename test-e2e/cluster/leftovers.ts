// What a killed run cannot remove carries the id of its process in its name; the next start removes what belongs to nobody any more.
import { existsSync, readdirSync } from "node:fs";
import { randomBytes } from "node:crypto";

const prefix = "landscaper-e2e-";

/** A name that says whose it is. */
export function nameOfRun(): string {
  return `${prefix}${process.pid}-${randomBytes(4).toString("hex")}`;
}

/** The names among `folder`'s entries whose process has ended. */
export function findLeftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => isLeftover(name, (pid) => existsSync(`/proc/${pid}`)));
}

/** Whether this is a name of ours (`nameOfRun`) and its process is gone. */
export function isLeftover(name: string, isAlive: (pid: number) => boolean): boolean {
  const pid = /^landscaper-e2e-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}
