import { LandscaperError, type Installation } from "@landscaper/api";
import { readTree, type Closure } from "@landscaper/components";
import { parseIdentity, selectElement, type FoundResource } from "@landscaper/ocm";
import { prerequisiteError } from "../blueprint-error.ts";
import { blueprintResources, findBlueprintResource, nameOfBlueprint } from "../blueprint-resource.ts";
import { resourceText } from "../blueprint-component.ts";
import { filesFromPaths } from "../blueprint-files.ts";
import type { BlueprintSource } from "../blueprint-source.ts";
import { createBlueprint, readBlueprint } from "../create-blueprint.ts";
import type { RenderCaches } from "../render-caches.ts";

/**
 * The blueprint of an Installation: inline, or a resource of its component (docs/reference/components.md#blueprints). With caches it is read once. Throws SuppliesLacking when
 * its archive is to be fetched, and LandscaperError.
 */
export async function blueprintOfInstallation(
  installation: Installation,
  closure: Closure | undefined,
  caches?: RenderCaches,
): Promise<BlueprintSource> {
  const { inline, ref } = installation.spec.blueprint;
  if (inline !== undefined) {
    const where = `blueprint of installation ${installation.metadata.name ?? ""}`;
    return createBlueprint(inline.filesystem, where, caches);
  }
  const name = ref?.resourceName ?? "";
  if (closure === undefined) {
    throw resolveError(
      `spec.blueprint.ref "${name}": the Installation has no component that the blueprint could be a resource of`,
      "name the component in spec.componentDescriptor, or give the blueprint inline",
    );
  }
  const found = findBlueprint(closure, name);
  return await readResource(found, closure, caches);
}

function findBlueprint({ root }: Closure, name: string): FoundResource {
  const resource = findBlueprintResource(root, name);
  if (resource !== undefined) return { component: root, resource };
  const where = `spec.blueprint.ref: component ${root.name}:${root.version}`;
  const other = selectElement(root.resources, parseIdentity(name) ?? { name });
  if (other === undefined) {
    const known = blueprintResources(root).map((one) => `"${nameOfBlueprint(root, one)}"`);
    const list = known.length === 0 ? "no blueprint" : known.join(", ");
    throw resolveError(`${where} has no resource "${name}", it has ${list}`, "correct resourceName");
  }
  throw resolveError(
    `${where}: resource "${name}": expected the type landscaper.gardener.cloud/blueprint, found ${JSON.stringify(other.type ?? "")}`,
    "name a resource that is a blueprint",
  );
}

async function readResource(
  found: FoundResource,
  closure: Closure,
  caches: RenderCaches | undefined,
): Promise<BlueprintSource> {
  const where = `blueprint: ${resourceText(found)}`;
  const hint = "publish the component version again with an archive of the blueprint's folder";
  try {
    const { bytes, digest, where: from } = closure.contentOf(found, "blueprint");
    const key = `${where}\0${digest}`;
    const known = caches?.blueprints.get(key);
    if (known !== undefined) return known;
    const source = readBlueprint(
      filesFromPaths(await readTree(inOnePart(bytes), { where: `${where} in ${from}` }), where),
      where,
    );
    caches?.blueprints.set(key, source);
    return source;
  } catch (error) {
    // Mistakes in blueprint.yaml keep their own reason.
    const isOfContent =
      error instanceof LandscaperError && (error.reason === "InvalidArchive" || error.message.startsWith("component "));
    throw isOfContent ? resolveError(error.message, hint) : error;
  }
}

async function* inOnePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function resolveError(message: string, hint: string): LandscaperError {
  return prerequisiteError(message, "ResolveBlueprint", hint);
}
