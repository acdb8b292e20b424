// Builds all images into a folder that is there only when all of them are; removes those of other sources. Whoever starts it holds a lock.
// usage: build-provided-images.ts FOLDER; started by provided-images.ts
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { productVersion } from "@landscaper/api";
import { buildImages } from "../../scripts/images/build-images.ts";
import { machineArchitecture } from "../../scripts/images/machine-architecture.ts";
import { findImages } from "../../scripts/images/image-list.ts";
import { imageStorage } from "./provided-images.ts";
import { testState } from "./test-state.ts";

const root = join(import.meta.dirname, "../..");
const [, , folder = ""] = process.argv;
if (!existsSync(folder)) {
  rmSync(dirname(folder), { recursive: true, force: true });
  const staging = `${folder}.unfinished`;
  mkdirSync(staging, { recursive: true });
  buildImages({
    root,
    cache: dirname(imageStorage),
    storage: imageStorage,
    outdir: staging,
    images: findImages(root),
    architecture: machineArchitecture,
    version: productVersion,
    state: testState,
    announce: () => undefined,
  });
  renameSync(staging, folder);
}
