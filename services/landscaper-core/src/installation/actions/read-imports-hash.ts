import { LandscaperError } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { namespaceOf } from "../../object-reading.ts";
import { hashImportObjects } from "../../rendering/hash-imports.ts";
import { readImportObjects } from "../../rendering/import-objects.ts";
import { createImportReader } from "../imports/import-reader.ts";
import type { InstallationPass } from "../installation-pass.ts";

/** What the imports of a spec hash to that names none. */
const unreadable = "unreadable";

/** Hash of the imported values as they are, also of those that are not there; Secrets and ConfigMaps are read live. */
export async function readImportsHash(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<string> {
  const installation = { ...pass.installation, status: pass.status };
  const options = { client: core.client, ...core.informers, namespace: namespaceOf(installation), signal };
  try {
    const load = { readsTargetSecrets: true };
    const imports = await readImportObjects(installation, createImportReader(options, "absent"), load);
    return await hashImportObjects(core, { installation, imports, options: load }, signal);
  } catch (error) {
    if (error instanceof LandscaperError) return unreadable;
    throw error;
  }
}
