import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { productVersion } from "@landscaper/api";
import { buildDeployerComponents } from "../../scripts/components/build-components.ts";
import { componentNameOf } from "../../scripts/components/deployer-components.ts";

const root = join(import.meta.dirname, "../..");

export interface ProvidedComponents {
  /** Folder that gets the components, and `charts` with the packed charts of agent and deployers; what is there is removed. */
  readonly output: string;
  /** HOST/PREFIX of the images. */
  readonly images: string;
  /** URL of the repository. */
  readonly repository: string;
  /** Such as "helm-deployer". */
  readonly deployers: readonly string[];
}

/** Builds the components of this checkout, and pushes those of these deployers. */
export async function provideComponents({ output, images, repository, deployers }: ProvidedComponents): Promise<void> {
  await buildDeployerComponents({ root, output, version: productVersion, registry: images });
  // Without credentials of the user.
  const env = { PATH: process.env["PATH"], HOME: output };
  for (const deployer of deployers) {
    const from = `${join(output, "ctf")}//${componentNameOf(deployer)}`;
    await promisify(execFile)(join(root, "bin/landscaper"), ["component", "push", from, repository], { env });
  }
}
