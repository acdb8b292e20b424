import { createHash } from "node:crypto";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import type { ServedGroup, ServedVersion } from "./group-versions.ts";

/** Kinds of discovery documents, as the parsed path asks for them. */
function groupVersion(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

/** GET /api */
export function coreVersions(address: string): unknown {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
  };
}

/** GET /apis */
export function groupList(groups: readonly ServedGroup[]): unknown {
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groups.filter(({ name }) => name !== "").map((group) => describeGroup(group)),
  };
}

/** GET /apis/<group> */
export function groupDocument(group: ServedGroup): unknown {
  return { kind: "APIGroup", apiVersion: "v1", ...describeGroup(group) };
}

function describeGroup({ name, versions }: ServedGroup): Readonly<Record<string, unknown>> {
  const described = versions.map(({ version }) => ({ groupVersion: groupVersion(name, version), version }));
  return { name, versions: described, preferredVersion: described[0] };
}

/** GET /api/v1 and /apis/<group>/<version> */
export function resourceList(group: string, { version, definitions }: ServedVersion): unknown {
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: groupVersion(group, version),
    resources: definitions.flatMap((definition) => describeResource(definition)),
  };
}

function describeResource(definition: ResourceDefinition): readonly unknown[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = definition;
  return [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
      ...(definition.custom ? { storageVersionHash: storageVersionHash(definition) } : {}),
    },
    ...definition.subresources.map(({ name, group, version, ...subresource }) => ({
      name: `${plural}/${name}`,
      singularName: "",
      namespaced,
      ...(group === undefined ? {} : { group, version }),
      kind: subresource.kind,
      verbs: subresource.verbs,
    })),
  ];
}

/** Models apiserver/pkg/endpoints/discovery/storageversionhash.go. */
function storageVersionHash({ group, version, kind }: ResourceDefinition): string {
  return createHash("sha256").update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString("base64");
}

/** GET /api or /apis with Accept ...;as=APIGroupDiscoveryList: all in one document. */
export function aggregatedDiscovery(groups: readonly ServedGroup[], version: string): unknown {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === "" ? {} : { name },
      versions: versions.map((served) => ({
        version: served.version,
        resources: served.definitions.map((definition) => describeAggregated(definition)),
        freshness: "Current",
      })),
    })),
  };
}

function describeAggregated(definition: ResourceDefinition): unknown {
  const { group, version, plural, singular, namespaced, kind, verbs, shortNames, categories, subresources } =
    definition;
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map((subresource) => ({
            subresource: subresource.name,
            responseKind: {
              group: subresource.group ?? group,
              version: subresource.version ?? version,
              kind: subresource.kind,
            },
            verbs: subresource.verbs,
          })),
        }),
  };
}
