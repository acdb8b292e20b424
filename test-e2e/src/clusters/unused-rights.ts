import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listPermissions, serviceRightsFiles, type RightsFile } from "@landscaper/api";
import { useOf } from "./access-log.ts";
import { roleNameOf } from "./service-accounts.ts";

/** Everything that processes have noted in the folder of a full run (`noteUses`). */
export function readUses(folder: string): ReadonlySet<string> {
  const files = globSync("*.txt", { cwd: folder });
  return new Set(files.flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n")));
}

/**
 * Pairs of verb and resource that the rules grant and nothing has used, one line for each: a smaller rule would do. Rights that are held
 * to be granted to others do not count. Pure.
 */
export function findUnusedRights(
  uses: ReadonlySet<string>,
  files: readonly RightsFile[] = serviceRightsFiles,
): readonly string[] {
  const unused = files.flatMap((file) =>
    listPermissions(file.rights.filter(({ isPassedOn }) => isPassedOn !== true))
      .filter((permission) => rolesOf(file).every((role) => !uses.has(useOf({ role, ...permission }))))
      .map(({ verb, resource }) => `${file.path}: nothing has used "${verb}" on ${resource}`),
  );
  return [...new Set(unused)];
}

/** The agent has a helm deployer, with the rules of that: what the one uses, the other may, too. */
function rolesOf(file: RightsFile): readonly string[] {
  const own = roleNameOf(file);
  if (file.holder !== "landscaper-agent") return [own];
  const path = file.path.replace("landscaper-namespace.yaml", "landscaper-cluster.yaml");
  return [own, roleNameOf({ ...file, path, holder: "helm-deployer" })];
}
