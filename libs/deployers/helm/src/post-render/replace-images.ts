import type { PostRenderFields } from "@landscaper/api";
import { isJsonObject } from "@landscaper/resources";

export type ImageReplacement = NonNullable<PostRenderFields["images"]>[number];

/** A copy with other images of containers and init containers, wherever in the object they stand. */
export function replaceImages(value: unknown, replacements: readonly ImageReplacement[]): unknown {
  if (replacements.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => replaceImages(item, replacements));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => {
    const isList = (key === "containers" || key === "initContainers") && Array.isArray(member);
    const replaced = replaceImages(member, replacements);
    return [key, isList && Array.isArray(replaced) ? replaced.map((item) => withImage(item, replacements)) : replaced];
  });
  return Object.fromEntries(members);
}

function withImage(container: unknown, replacements: readonly ImageReplacement[]): unknown {
  if (!isJsonObject(container) || typeof container["image"] !== "string") return container;
  return { ...container, image: replacements.reduce(replaceImage, container["image"]) };
}

/** A new tag or digest takes the place of both. */
export function replaceImage(image: string, { name, newName, newTag, digest }: ImageReplacement): string {
  const { repository, rest } = splitImage(image);
  if (repository !== name) return image;
  const tag = newTag === undefined ? "" : `:${newTag}`;
  const suffix = `${tag}${digest === undefined ? "" : `@${digest}`}`;
  return `${newName ?? name}${suffix === "" ? rest : suffix}`;
}

/** A colon before the last slash is that of a port. */
function splitImage(image: string): { repository: string; rest: string } {
  const at = image.indexOf("@");
  const tagged = at < 0 ? image : image.slice(0, at);
  const colon = tagged.indexOf(":", tagged.lastIndexOf("/") + 1);
  const repository = colon < 0 ? tagged : tagged.slice(0, colon);
  return { repository, rest: image.slice(repository.length) };
}
