import type { Installation } from "@landscaper/api";
import { prerequisiteError } from "./blueprint-error.ts";
import type { BlueprintSource } from "./blueprint-source.ts";
import { createBlueprint } from "./create-blueprint.ts";
import type { RenderCaches } from "./render-caches.ts";

/** The blueprint of an Installation; only inline ones can be read. With caches it is read once. Throws LandscaperError. */
export function blueprintOfInstallation(installation: Installation, caches?: RenderCaches): BlueprintSource {
  const { inline, ref } = installation.spec.blueprint;
  if (inline === undefined) {
    throw prerequisiteError(
      `spec.blueprint.ref "${ref?.resourceName ?? ""}" needs a component, but component repositories are not supported`,
      "ResolveBlueprint",
      "give the blueprint inline",
    );
  }
  return createBlueprint(inline.filesystem, `blueprint of installation ${installation.metadata.name ?? ""}`, caches);
}
