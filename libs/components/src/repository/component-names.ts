import { createHash } from "node:crypto";
import { componentError } from "../component-error.ts";

/** How the name of a component becomes a repository (docs/reference/components.md#artifacts). */
export type NameMapping = "urlPath" | "sha256-digest";

/** The repository of a component below `subPath`. */
export function repositoryOf(name: string, mapping: NameMapping, subPath: string): string {
  const own = mapping === "urlPath" ? `component-descriptors/${name}` : createHash("sha256").update(name).digest("hex");
  return subPath === "" ? own : `${subPath}/${own}`;
}

/** Tags have no "+" (docs/reference/components.md#artifacts). Throws LandscaperError for a version that cannot be a tag. */
export function tagOfVersion(version: string): string {
  const tag = version.replace("+", ".build-");
  if (/^\w[\w.-]{0,127}$/.test(tag)) return tag;
  throw componentError(
    "InvalidComponent",
    `version ${JSON.stringify(version)}: expected at most 128 letters, digits, "_", ".", "-" and one "+"`,
  );
}

/** The last ".build-" stands for a "+". */
export function versionOfTag(tag: string): string {
  const at = tag.lastIndexOf(".build-");
  return at < 0 ? tag : `${tag.slice(0, at)}+${tag.slice(at + ".build-".length)}`;
}
