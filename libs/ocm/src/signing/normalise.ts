import { compareStrings, toGoJson } from "@landscaper/goyaml";
import type { ComponentDescriptor } from "../component-descriptor.ts";
import type { Label, Reference, Resource, Source } from "../descriptor-schemas.ts";
import { ocmError } from "../ocm-error.ts";
import { hasNoContent } from "../parse-access.ts";
import { canonicalJson } from "./canonical-json.ts";

/** How a descriptor becomes the text that signatures cover (docs/reference/components.md#signatures). */
export const normalisations = ["jsonNormalisation/v1", "jsonNormalisation/v2", "jsonNormalisation/v3"] as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The text whose hash is signed. Digests of resources and references are those of the descriptor; access, sources of content, signatures,
 * repositories and labels that are not for signing are no part of it. Throws LandscaperError for an unknown normalisation.
 */
export function normalise(descriptor: ComponentDescriptor, normalisation: string): string {
  switch (normalisation) {
    case "jsonNormalisation/v1":
      return toGoJson(toEntryLists(storedForm(descriptor)), { escapeHtml: true });
    case "jsonNormalisation/v2":
      return canonicalJson(commonForm({ ...descriptor, resources: tellApart(descriptor.resources) }));
    case "jsonNormalisation/v3":
      return canonicalJson(commonForm(descriptor));
    default:
      throw ocmError(`unknown normalisation "${normalisation}"; expected one of ${normalisations.join(", ")}`);
  }
}

/** The form that does not depend on the schema of the document. */
function commonForm({ name, version, provider, labels, creationTime, ...lists }: ComponentDescriptor): Fields {
  return {
    component: withoutAbsent({
      componentReferences: lists.references.map(commonReference),
      creationTime,
      labels: signedLabels(labels),
      name,
      provider: withoutAbsent({ name: provider?.name ?? "", labels: signedLabels(provider?.labels) }),
      resources: lists.resources.map(commonResource),
      sources: lists.sources.map(commonSource),
      version,
    }),
  };
}

function commonResource({ name, version, extraIdentity, labels, type, relation, ...others }: Resource): Fields {
  return withoutAbsent({
    digest: digestOf(others),
    extraIdentity: presentIdentity(extraIdentity),
    labels: signedLabels(labels),
    name,
    relation,
    type,
    version,
  });
}

function commonSource({ name, version, extraIdentity, labels, type }: Source): Fields {
  return withoutAbsent({
    extraIdentity: presentIdentity(extraIdentity),
    labels: signedLabels(labels),
    name,
    type,
    version,
  });
}

/** All labels of references stay, also those that are not for signing: the reference implementation excludes them by a wrong field name. */
function commonReference({ name, version, extraIdentity, labels, componentName, digest }: Reference): Fields {
  return withoutAbsent({
    componentName,
    digest,
    extraIdentity: presentIdentity(extraIdentity),
    labels: labels === undefined || labels.length === 0 ? undefined : labels,
    name,
    version,
  });
}

/** Resources of one name and extra identity get their version into it, all but the last. */
function tellApart(resources: readonly Resource[]): readonly Resource[] {
  const keyOf = ({ name, extraIdentity = {} }: Resource): string => canonicalJson({ name, extraIdentity });
  const keys = resources.map(keyOf);
  return resources.map((resource, index) => {
    const isLast = keys.lastIndexOf(keys[index] ?? "") === index;
    if (isLast || resource.version === undefined) return resource;
    return { ...resource, extraIdentity: { ...resource.extraIdentity, version: resource.version } };
  });
}

/** The form of the schema that the descriptor is stored in. */
function storedForm(descriptor: ComponentDescriptor): Fields {
  return descriptor.schemaVersion === "v2" ? storedV2(descriptor) : storedV3(descriptor);
}

/** Without sources; elements without extra identity say so. */
function storedV2({ document, references, resources, labels }: ComponentDescriptor): Fields {
  const { repositoryContexts: _, sources: __, ...component } = document["component"] as Fields; // a map, as the parser checked
  const named = (element: Fields): Fields => ({
    ...element,
    extraIdentity: presentIdentity(element["extraIdentity"]) ?? null,
  });
  return {
    meta: document["meta"],
    component: withoutAbsent({
      ...component,
      labels: signedLabels(labels),
      componentReferences: references.map(storedElement).map(named),
      resources: resources.map(storedElement).map(named),
    }),
  };
}

function storedV3({ document, references, resources, sources, labels }: ComponentDescriptor): Fields {
  const { repositoryContexts: _, signatures: __, nestedDigests: ___, ...others } = document;
  const lists = { references, resources, sources };
  return {
    ...others,
    metadata: withoutAbsent({ ...(others["metadata"] as Fields), labels: signedLabels(labels) }), // a map, as the parser checked
    spec: Object.fromEntries(
      Object.entries(lists)
        .filter(([, list]) => list.length > 0)
        .map(([name, list]) => [name, list.map(storedElement)]),
    ),
  };
}

/** With the fields that are not known here. */
function storedElement(element: Resource | Source | Reference): Fields {
  const { access: _, srcRefs: __, srcRef: ___, labels, digest: ____, ...others }: Fields = element;
  return withoutAbsent({
    ...others,
    labels: signedLabels(labels as readonly Label[] | undefined), // of an element
    digest: digestOf(element),
  });
}

function digestOf({ access, digest }: Pick<Resource, "access" | "digest">): Resource["digest"] {
  return hasNoContent(access) ? undefined : digest;
}

function presentIdentity(identity: unknown): unknown {
  return identity === undefined || identity === null || Object.keys(identity).length === 0 ? undefined : identity;
}

function signedLabels(labels: readonly Label[] | undefined): readonly Fields[] | undefined {
  const signed = (labels ?? []).filter(({ signing }) => signing === true);
  if (signed.length === 0) return undefined;
  return signed.map(({ name, value, version, signing }) => withoutAbsent({ name, value, version, signing }));
}

/** Maps as lists of maps with one key, by key, at every depth. */
function toEntryLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toEntryLists);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => compareStrings(a, b))
    .map(([key, member]) => ({ [key]: toEntryLists(member) }));
}

function withoutAbsent(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
