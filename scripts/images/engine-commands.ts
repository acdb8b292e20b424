import type { CommandLine } from "../run-command.ts";

export interface BuildOptions {
  readonly dockerfile: string;
  readonly context: string;
  /** Name of the image to make. */
  readonly tag: string;
  /** Seconds since 1970: of the image, and with buildah of every file in its layers. */
  readonly epoch: number;
  /** Of an image from scratch; one that begins with a base has the base's. */
  readonly architecture?: string;
  readonly buildArgs: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

export interface BuildahOptions {
  /** Where images and containers are kept. */
  readonly storage: string;
  /** The system lets us have a network namespace of our own: without an interface, a build reaches nothing. */
  readonly isolated: boolean;
}

const pairs = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).map(([name, value]) => `${name}=${value}`);

/** buildah with storage of its own, which needs neither a daemon nor privileges beyond those of chroot. */
export function buildah({ storage, isolated }: BuildahOptions, args: readonly string[]): CommandLine {
  const own = ["--root", `${storage}/root`, "--runroot", `${storage}/run`, "--storage-driver", "vfs"];
  const line = ["buildah", ...own, ...args] as const;
  return isolated ? ["unshare", "--net", "--", ...line] : line;
}

/** Builds an image with buildah. `--isolation chroot` takes no `--network none`, so the whole build has a network namespace without interfaces. */
export function buildahBuild(options: BuildahOptions, build: BuildOptions): CommandLine {
  return buildah(options, [
    "bud",
    "--isolation=chroot",
    "--pull-never",
    `--timestamp=${build.epoch}`,
    ...(build.architecture === undefined ? [] : [`--arch=${build.architecture}`]),
    ...sharedFlags(build),
  ]);
}

/** Builds an image with docker, also with its older builder. */
export function dockerBuild(build: BuildOptions): CommandLine {
  return ["docker", "build", "--network=none", ...sharedFlags(build)];
}

function sharedFlags({ dockerfile, context, tag, buildArgs, labels }: BuildOptions): string[] {
  return [
    `--file=${dockerfile}`,
    `--tag=${tag}`,
    ...pairs(buildArgs).map((pair) => `--build-arg=${pair}`),
    ...pairs(labels).map((pair) => `--label=${pair}`),
    context,
  ];
}

/** Writes an image as an OCI archive; `reference` is its tag in there. */
export function buildahSave(
  options: BuildahOptions,
  tag: string,
  to: { file: string; reference: string },
): CommandLine {
  return buildah(options, ["push", "--quiet", tag, `oci-archive:${to.file}:${to.reference}`]);
}
