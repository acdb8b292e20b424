import { globSync } from "node:fs";
import { basename, dirname } from "node:path";

/** A program that has an image. */
export interface ProgramImage {
  /** Of the image and of its program: "helm-deployer"; the command is called "landscaper". */
  readonly name: string;
  /** Path below the root of the repository. */
  readonly dockerfile: string;
}

/** "services/helm-deployer/Dockerfile" -> "helm-deployer" */
function nameOf(dockerfile: string): string {
  const name = basename(dirname(dockerfile));
  return name === "cli" ? "landscaper" : name;
}

/** Every service with a Dockerfile, and the command. */
export function findImages(root: string): ProgramImage[] {
  const files = globSync("{services/*,libs/cli}/Dockerfile", { cwd: root }).toSorted();
  return files.map((dockerfile) => ({ name: nameOf(dockerfile), dockerfile }));
}

/** The images with these names, all when there are none. Throws for a name without an image. */
export function selectImages(images: readonly ProgramImage[], names: readonly string[]): ProgramImage[] {
  for (const name of names) {
    if (images.some((image) => image.name === name)) continue;
    throw new Error(`there is no image ${name}; there are: ${images.map((image) => image.name).join(", ")}`);
  }
  return images.filter(({ name }) => names.length === 0 || names.includes(name));
}
