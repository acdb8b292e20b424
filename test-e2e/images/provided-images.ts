import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BuiltImage } from "../../scripts/images/build-images.ts";
import { machineArchitecture } from "../../scripts/images/machine-architecture.ts";
import { findImages } from "../../scripts/images/image-list.ts";
import { readArchive } from "../../scripts/images/oci-archive.ts";
import { runCommand } from "../../scripts/run-command.ts";
import { hashImageSources } from "./image-sources.ts";

const root = join(import.meta.dirname, "../..");
const cache = join(root, ".cache/images");

/** Where buildah keeps the images of `provideImages` and their bases. */
export const imageStorage = join(cache, "containers");

export interface ProvidedImages {
  /** Has NAME-ARCHITECTURE.tar of each image, as `npm run images` leaves them. */
  readonly folder: string;
  readonly images: readonly BuiltImage[];
}

/** The folder of the images of this checkout, if they are built. */
const builtFolder = (): string => join(cache, "built", hashImageSources(root));

/** Returns why `provideImages` would have to build the images first; undefined if they are built. */
export function imagesAbsence(): string | undefined {
  return existsSync(builtFolder())
    ? undefined
    : "the images of this checkout are not built; npm run e2e -- images builds them";
}

/** The images of this checkout: built once for all suites, and again when their sources change. Two runs at a time wait for each other. */
export function provideImages(): ProvidedImages {
  const folder = builtFolder();
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const script = join(import.meta.dirname, "build-provided-images.ts");
    runCommand(["flock", "--close", join(cache, "lock"), process.execPath, script, folder], { cwd: root });
  }
  return { folder, images: readImages(folder) };
}

/** The images of a folder as `npm run images` leaves it. */
export function readImages(folder: string): BuiltImage[] {
  return findImages(root).map(({ name }) => ({
    ...readArchive(join(folder, `${name}-${machineArchitecture}.tar`)),
    name,
    sbom: join(folder, `${name}-${machineArchitecture}.cdx.json`),
  }));
}
