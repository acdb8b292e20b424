// Reads OCI archives (https://github.com/opencontainers/image-spec/blob/v1.0.2/image-layout.md) with the system's tar.
import { runCommand } from "../run-command.ts";

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  /** Bytes, as they are in the archive: compressed. */
  readonly size: number;
}

export interface ImageConfig {
  readonly architecture: string;
  readonly created?: string;
  readonly config: {
    readonly User?: string;
    readonly Env?: readonly string[];
    readonly Entrypoint?: readonly string[];
    readonly WorkingDir?: string;
    readonly Labels?: Readonly<Record<string, string>>;
  };
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

/** The one image of an archive. */
export interface ArchivedImage {
  readonly file: string;
  readonly config: ImageConfig;
  readonly layers: readonly Descriptor[];
  /** Bytes that a registry stores and a node pulls. */
  readonly compressedBytes: number;
}

const blobOf = (digest: string): string => `blobs/${digest.replace(":", "/")}`;
const readText = (file: string, member: string): string => runCommand(["tar", "-xOf", file, member]);

/** Reads manifest and configuration of an archive's image. */
export function readArchive(file: string): ArchivedImage {
  const { manifests } = JSON.parse(readText(file, "index.json")) as { readonly manifests: readonly Descriptor[] };
  const [descriptor] = manifests;
  if (descriptor === undefined || manifests.length > 1) {
    throw new Error(`${file}: expected one image, found ${manifests.length}`);
  }
  const manifest = JSON.parse(readText(file, blobOf(descriptor.digest))) as {
    readonly config: Descriptor;
    readonly layers: readonly Descriptor[];
  };
  const config = JSON.parse(readText(file, blobOf(manifest.config.digest))) as ImageConfig;
  const compressedBytes = manifest.layers.reduce((sum, { size }) => sum + size, 0);
  return { file, config, layers: manifest.layers, compressedBytes };
}

/** Pipes one layer to tar; `$1` is the archive, `$2` the layer's blob, the rest are tar's arguments. */
const unpackLayer = 'set -o pipefail; archive=$1 blob=$2; shift 2; tar -xOf "$archive" "$blob" | tar -xz "$@"';

const layerCommand = (file: string, { digest }: Descriptor, args: readonly string[]): string =>
  runCommand(["bash", "-c", unpackLayer, "bash", file, blobOf(digest), ...args]);

/** Unpacks all layers on one another. Ours only add files: there are no whiteouts to apply. */
export function unpackArchive({ file, layers }: ArchivedImage, folder: string): void {
  for (const layer of layers) layerCommand(file, layer, ["-C", folder, "--same-owner", "--numeric-owner", "-p"]);
}

/** The text of a file in the last layer, such as "app/bundles/landscaper/packages.json". */
export function readFromLastLayer({ file, layers }: ArchivedImage, path: string): string {
  const last = layers.at(-1);
  if (last === undefined) throw new Error(`${file}: expected a layer with ${path}, found none`);
  return layerCommand(file, last, ["-O", path]);
}
