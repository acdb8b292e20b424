// Builds the images of the services and of the command as OCI archives in dist/images. See docs/guide/images.md.
// usage: npm run images [-- NAME...] [--arch amd64|arm64] [--dry-run]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, readOrRefuse } from "./command-line.ts";
import { buildImages } from "./images/build-images.ts";
import { findEngine } from "./images/engines.ts";
import { checkArchitecture, machineArchitecture } from "./images/machine-architecture.ts";
import { findImages, selectImages } from "./images/image-list.ts";
import { readSourceState } from "./images/source-state.ts";

const root = join(import.meta.dirname, "..");
const usage = `usage: npm run images [-- NAME...] [--arch amd64|arm64] [--dry-run]
  NAME       name of a service, or landscaper; default: all
  --arch     default: the architecture of this machine
  --dry-run  names the images and checks for buildah or docker, and builds nothing`;
const { values, positionals } = readCommandLine({
  usage,
  options: { arch: { type: "string", default: machineArchitecture }, "dry-run": { type: "boolean", default: false } },
  acceptsPositionals: true,
});
const { images, architecture } = readOrRefuse(
  () => ({ images: selectImages(findImages(root), positionals), architecture: checkArchitecture(values.arch) }),
  { name: "images", usage },
);
const cache = join(root, ".cache/images");
const announce = (line: string): void => console.log(line);

/** Prints what is missing if this machine has neither buildah nor docker. */
function checkEngine(): void {
  try {
    findEngine({ root, storage: join(cache, "containers"), announce });
  } catch (error) {
    announce(`missing: ${error instanceof Error ? error.message : String(error)}; install Debian's buildah`);
  }
}

try {
  if (process.platform !== "linux") throw new Error(`expected Linux to build images, found ${process.platform}`);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
  if (values["dry-run"]) {
    for (const { name } of images) console.log(`would build dist/images/${name}-${architecture}.tar`);
    checkEngine();
    process.exit(0);
  }
  buildImages({
    root,
    cache,
    outdir: join(root, "dist/images"),
    images,
    architecture,
    version,
    state: readSourceState(root, process.env),
    announce,
  });
} catch (error) {
  console.error(`images: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
