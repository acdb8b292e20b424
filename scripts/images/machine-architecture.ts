/** Architectures by Node's names for them. */
const architectures: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: "amd64", arm64: "arm64" };

/** The architecture of this machine in the words of images. */
export const machineArchitecture = architectures[process.arch] ?? process.arch;

/** Returns an architecture that this machine can build images of. Throws an Error for any other. */
export function checkArchitecture(architecture: string): string {
  if (architecture === "arm64" || architecture === machineArchitecture) return architecture;
  throw new Error(
    `--arch: expected ${[...new Set(["arm64", machineArchitecture])].join(" or ")}, found "${architecture}"`,
  );
}
