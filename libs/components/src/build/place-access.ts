import { quoteText } from "@landscaper/api";
import { digestOf } from "@landscaper/oci";
import { parseAccess, type Access, type Resource } from "@landscaper/ocm";
import { isPackedArtifact } from "../archive/pack-artifact.ts";
import { MissingContentError, componentError } from "../component-error.ts";
import type { ComponentVersion, LocalContent as StoredContent } from "../repository/component-version.ts";
import { fetchChartOf } from "../source/fetch-chart.ts";
import { repositoryIn } from "../write/store-component.ts";
import type { Building, BuildOptions, ElementPlace, PlacedContent } from "./building.ts";
import { withDigestRemedies } from "./digest-remedies.ts";
import { localAccess, sha256Digest } from "./resource-fields.ts";

/** Returns the access of an element without an input. Local content of the version that is replaced is stored again. Throws LandscaperError. */
export async function placeAccess(
  access: PlacedContent["access"],
  at: ElementPlace,
  building: Building,
): Promise<PlacedContent> {
  const { options } = building;
  const parsed = parseAccess(access, at.place);
  if (parsed.kind === "local") return await placeLocal({ ...parsed, access }, at, building);
  return { access, findDigest: async () => await digestOfAccess(parsed, at.place, options) };
}

interface LocalContent {
  readonly reference: string;
  readonly mediaType: string | undefined;
  readonly access: NonNullable<Resource["access"]>;
}

/** Local content of the version that is replaced stays; else its global access is used. Throws LandscaperError. */
async function placeLocal(
  { reference, access, ...local }: LocalContent,
  { place, kind, index }: ElementPlace,
  { target, options, present, constructor: { name }, add }: Building,
): Promise<PlacedContent> {
  const { signal, warn } = options;
  const content = await findPresent(present, reference);
  if (content !== undefined) {
    const mediaType = local.mediaType ?? content.mediaType;
    const blob = await target.sink.pushBlob(repositoryIn(target, name), content.stream({ signal }), { signal });
    add({ ...blob, mediaType, kind, index });
    const referenceName: unknown = Reflect.get(access, "referenceName");
    const digest = sha256Digest("genericBlobDigest/v1", blob.digest);
    return {
      access: localAccess(blob.digest, mediaType, typeof referenceName === "string" ? referenceName : undefined),
      findDigest: async () => (isPackedArtifact(mediaType) ? undefined : digest),
    };
  }
  const globalAccess = globalAccessOf(access);
  if (globalAccess === undefined) {
    throw componentError(
      "InvalidComponent",
      `${place}: access: ${target.text} has no content ${quoteText(reference)} of this component version: local content is made by an input`,
    );
  }
  warn(
    `${place}: access: the target has no local content ${quoteText(reference)}; the resource uses its globalAccess instead`,
  );
  const parsed = parseAccess(globalAccess, `${place}: access.globalAccess`);
  return { access: globalAccess, findDigest: async () => await digestOfAccess(parsed, place, options) };
}

async function findPresent(
  present: ComponentVersion | undefined,
  reference: string,
): Promise<StoredContent | undefined> {
  try {
    return await present?.findLocal(reference);
  } catch (error) {
    if (error instanceof MissingContentError) return undefined;
    throw error;
  }
}

function globalAccessOf(access: object): NonNullable<Resource["access"]> | undefined {
  const value: unknown = Reflect.get(access, "globalAccess");
  if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
  const { type } = value;
  return typeof type === "string" ? { ...value, type } : undefined;
}

/** `place` names the resource. Reads content of other hosts unless `--skip-external-digests` is given. Throws LandscaperError. */
async function digestOfAccess(access: Access, place: string, options: BuildOptions): Promise<Resource["digest"]> {
  const { resolveArtifact, tools, signal } = options;
  if (access.kind === "blob" && access.digest.startsWith("sha256:")) {
    return sha256Digest("genericBlobDigest/v1", access.digest);
  }
  if (resolveArtifact === undefined) return undefined;
  const where = `${place}: access`;
  if (access.kind === "artifact") {
    const digest = await withDigestRemedies(access.reference, where, async () =>
      resolveArtifact(access.reference, { signal }),
    );
    return sha256Digest("ociArtifactDigest/v1", digest);
  }
  // No digest can say that the provenance of a chart was checked.
  if (access.kind !== "chart" || access.keyring !== undefined) return undefined;
  const { archive } = await withDigestRemedies(access.repository, where, async () =>
    fetchChartOf(access, { fetchChart: tools.fetchChart, where, signal }),
  );
  return sha256Digest("genericBlobDigest/v1", digestOf(archive));
}
