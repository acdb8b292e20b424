import { LandscaperError, type TokenRealm } from "@landscaper/api";
import { parseOcmConfiguration } from "@landscaper/components";
import { findCredential, serverOf, type CredentialEntry, type FindCertificates } from "@landscaper/oci";
import type { RegistryCertificates } from "../../contract/registry-certificates.ts";
import { repositoryPlace, type RegistryPlaces } from "./registry-places.ts";

export interface CertificateSources {
  readonly places: RegistryPlaces;
  /** Text of `.ocmconfig`; "" without one. */
  readonly ocmConfig: string;
  readonly credentials: readonly CredentialEntry[];
  /** Registries whose tokens come from another host. */
  readonly tokenRealms: readonly TokenRealm[];
  /** Those of the deployer's configuration. */
  readonly find: FindCertificates | undefined;
}

/**
 * The certificates for the hosts that init is known to reach: the registries of component and blueprint, the repositories of the OCM configuration, and their token
 * services (docs/reference/container-deployer.md#certificates). Secret. Throws LandscaperError for files that cannot be read.
 */
export async function collectCertificates(sources: CertificateSources): Promise<RegistryCertificates> {
  const { find, credentials } = sources;
  const authorities = new Map<string, string>();
  for (const place of [sources.places.component, sources.places.blueprint]) {
    const { certificateAuthority } = (place && findCredential(credentials, place))?.credential ?? {};
    if (place !== undefined && certificateAuthority !== undefined) {
      authorities.set(serverOf(place.host), certificateAuthority);
    }
  }
  const found = await Promise.all(
    serversOf(sources).map(async (server) => {
      const { ca, client } = (await find?.(server)) ?? {};
      const all = [ca, authorities.get(server)].filter((text) => text !== undefined);
      if (all.length === 0 && client === undefined) return [];
      const entry = { ...(all.length === 0 ? {} : { ca: all.join("\n") }), ...(client && { client }) };
      return [[server, entry] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

function serversOf({ places, ocmConfig, tokenRealms }: CertificateSources): readonly string[] {
  const known = [places.component, places.blueprint, ...resolverPlaces(ocmConfig)];
  const registries = new Set(known.flatMap((place) => (place === undefined ? [] : [serverOf(place.host)])));
  const realms = tokenRealms.filter(({ registry }) => registries.has(serverOf(registry)));
  return [...new Set([...registries, ...realms.map(({ realm }) => serverOf(realm))])];
}

function resolverPlaces(ocmConfig: string): readonly ReturnType<typeof repositoryPlace>[] {
  if (ocmConfig.trim() === "") return [];
  try {
    return parseOcmConfiguration(ocmConfig, ".ocmconfig").resolvers.map(({ repository }) =>
      repositoryPlace(repository, ".ocmconfig"),
    );
  } catch (error) {
    // init names what is wrong with it.
    if (error instanceof LandscaperError) return [];
    throw error;
  }
}
