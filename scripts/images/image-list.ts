import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A program that has an image. */
export interface ProgramImage {
  /** Of the image and of its program: "helm-deployer"; the command is called "landscaper". */
  readonly name: string;
  /** Path below the root of the repository. */
  readonly dockerfile: string;
  /** Its source file, below the root of the repository. */
  readonly main: string;
}

/** "services/helm-deployer/Dockerfile" -> "helm-deployer"; "services/container-deployer/init.Dockerfile" -> "container-deployer-init" */
function toProgram(dockerfile: string): ProgramImage {
  const folder = dirname(dockerfile);
  const service = basename(folder) === "cli" ? "landscaper" : basename(folder);
  const program = basename(dockerfile).replace(/\.?Dockerfile$/, "");
  if (program === "") return { name: service, dockerfile, main: join(folder, "src/main.ts") };
  return { name: `${service}-${program}`, dockerfile, main: join(folder, `src/${program}.ts`) };
}

/** Every service, the programs that services start in pods, and the command: whatever has a Dockerfile. */
export function findImages(root: string): ProgramImage[] {
  return globSync("{services/*,libs/cli}/{Dockerfile,*.Dockerfile}", { cwd: root }).toSorted().map(toProgram);
}

/** The images with these names, all when there are none. Throws for a name without an image. */
export function selectImages(images: readonly ProgramImage[], names: readonly string[]): ProgramImage[] {
  for (const name of names) {
    if (images.some((image) => image.name === name)) continue;
    throw new Error(`there is no image ${name}; there are: ${images.map((image) => image.name).join(", ")}`);
  }
  return images.filter(({ name }) => names.length === 0 || names.includes(name));
}
