/** Architectures by Node's names for them. */
const architectures: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: "amd64", arm64: "arm64" };

/** The architecture of this machine in the words of images. */
export const machineArchitecture = architectures[process.arch] ?? process.arch;
