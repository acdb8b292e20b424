import {
  changeDescriptor,
  componentText,
  createSignature,
  parseAccess,
  type ComponentDescriptor,
  type SignatureOptions,
} from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { FetchChart } from "../source/fetch-chart.ts";
import type { ComponentName, ComponentVersion } from "../repository/component-version.ts";
import { placeContent } from "../transfer/place-content.ts";
import type { ResolveArtifact } from "../verify/resource-digest.ts";
import { storeComponent, type LocalLayer } from "../write/store-component.ts";
import type { TargetRepository } from "../write/target-repository.ts";
import { fillDigests, type Filled } from "./fill-digests.ts";

export interface SignOptions
  extends
    CallOptions,
    Pick<
      SignatureOptions,
      "name" | "normalisationAlgorithm" | "hashAlgorithm" | "algorithm" | "privateKey" | "certificates"
    > {
  /** Whether a signature of that name is replaced. */
  readonly overwrite: boolean;
  readonly resolveArtifact: ResolveArtifact;
  /** Default: charts of Helm repositories are not read. */
  readonly fetchChart?: FetchChart | undefined;
}

/**
 * Signs a component version where it lies: digests that are missing are filled in there, in it and in all that it refers to, and the signature is added to
 * its descriptor. All of it is stored, or nothing where files are written. Gives the versions whose descriptors were changed. Throws LandscaperError.
 */
export async function signComponent(
  component: ComponentName,
  target: TargetRepository,
  options: SignOptions,
): Promise<readonly ComponentDescriptor[]> {
  const { name, overwrite, signal, ...others } = options;
  const root = await target.find(component, { signal });
  const own = componentText(component);
  if (root === undefined) throw componentError("ComponentNotFound", `${target.text}: there is no component ${own}`);
  const signatures = root.descriptor.signatures ?? [];
  if (signatures.some((signature) => signature.name === name) && !overwrite) {
    throw componentError(
      "InvalidComponent",
      `component ${own}: it has a signature "${name}" already; --overwrite replaces it`,
    );
  }
  const kept = signatures.filter((signature) => signature.name !== name);
  const find = async (one: ComponentName): Promise<ComponentVersion | undefined> => await target.find(one, { signal });
  const filled = await fillDigests(root, { ...others, find, signal });
  const last = filled.at(-1);
  if (last === undefined) return [];
  for (const one of filled) checkSigned(one, one === last ? kept : (one.descriptor.signatures ?? []));
  const hasIssuer = root.descriptor.schemaVersion === "v2";
  const signature = createSignature({ ...others, name, text: last.text, hasIssuer, where: `component ${own}` });
  const signed = { ...last, descriptor: changeDescriptor(last.descriptor, { signatures: [...kept, signature] }) };
  const changed = [...filled.filter((one) => one.isChanged && one !== last), signed];
  try {
    for (const one of changed) await storeAgain(one, target, { signal });
    await target.sink.commit();
  } catch (error) {
    await target.sink.discard();
    throw error;
  }
  return changed.map(({ descriptor }) => descriptor);
}

/** Digests that are filled in would break the signatures that are there. */
function checkSigned({ isChanged, descriptor }: Filled, signatures: readonly { readonly name: string }[]): void {
  const [signature] = signatures;
  if (!isChanged || signature === undefined) return;
  throw componentError(
    "InvalidComponent",
    `component ${componentText(descriptor)}: digests are missing that its signature "${signature.name}" does not cover`,
  );
}

/** Content stays where it is. */
async function storeAgain(
  { version, descriptor }: Filled,
  target: TargetRepository,
  { signal }: CallOptions,
): Promise<void> {
  const layers: LocalLayer[] = [];
  const elements = [
    ...descriptor.resources.map((element, index) => ({ kind: "resource" as const, element, index })),
    ...descriptor.sources.map((element, index) => ({ kind: "source" as const, element, index })),
  ];
  for (const { kind, element, index } of elements) {
    const where = `component ${componentText(descriptor)}: ${kind} "${element.name}"`;
    if (element.access === undefined || parseAccess(element.access, where).kind !== "local") continue;
    const { layer } = await placeContent(element, { version, target }, { ...nothingCopied, where, signal });
    if (layer !== undefined) layers.push({ ...layer, kind, index });
  }
  await storeComponent(target, descriptor, { layers, signal });
}

const nothingCopied = {
  copyResources: false,
  openRegistry: () => {
    throw new Error("artifacts of registries are not copied");
  },
};
