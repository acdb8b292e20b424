// Builds the images of the services and of the command as OCI archives in dist/images. docs/guide/images.md tells more.
// usage: npm run images [-- NAME...] [--arch amd64|arm64]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildImages } from "./images/build-images.ts";
import { machineArchitecture } from "./images/machine-architecture.ts";
import { findImages, selectImages } from "./images/image-list.ts";
import { readSourceState } from "./images/source-state.ts";

const root = join(import.meta.dirname, "..");
try {
  if (process.platform !== "linux") throw new Error(`expected Linux to build images, found ${process.platform}`);
  const { values, positionals } = parseArgs({
    options: { arch: { type: "string", default: machineArchitecture } },
    allowPositionals: true,
  });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
  buildImages({
    root,
    cache: join(root, ".cache/images"),
    outdir: join(root, "dist/images"),
    images: selectImages(findImages(root), positionals),
    architecture: values.arch,
    version,
    state: readSourceState(root, process.env),
    announce: (line) => console.log(line),
  });
} catch (error) {
  console.error(`images: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
