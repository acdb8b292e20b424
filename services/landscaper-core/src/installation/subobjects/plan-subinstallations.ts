import {
  annotations,
  apiVersion,
  childName,
  expectNothingElse,
  finalizer,
  fromEveryField,
  labels,
  LandscaperError,
  type Installation,
  type InstallationSpec,
  type InstallationTemplate,
} from "@landscaper/api";
import type { SubinstallationSource } from "@landscaper/blueprint";
import { isSameJson } from "../../is-same-json.ts";
import { annotationOf, hasAnnotation, inheritedFrom, isDeleting, nameOf, uidOf } from "../../object-reading.ts";
import { createBreather } from "@landscaper/controller-runtime";
import { plainOwner } from "../imports/import-copies.ts";

/** Difference between the subinstallations that a blueprint has and those that exist. */
export interface SubinstallationPlan {
  readonly create: readonly Installation[];
  /** Existing objects with the wanted labels, annotations and spec. */
  readonly update: readonly Installation[];
  /** Subinstallations whose template is gone. */
  readonly remove: readonly Installation[];
  /** What `status.installationRefs` says: template name and object name. */
  readonly refs: readonly { readonly name: string; readonly objectName: string }[];
}

/** Whether there are any, or are going to be, or are about to leave. */
export function hasSubinstallations({ refs, remove }: SubinstallationPlan): boolean {
  return refs.length + remove.length > 0;
}

/** A template of the blueprint, with the component and the blueprint that it leads to. */
export interface PlannedTemplate {
  readonly template: InstallationTemplate;
  readonly source: SubinstallationSource;
  /** Digests of the components that it may use (annotation `componentPins`). */
  readonly pins?: string | undefined;
}

export interface PlanSubinstallationsOptions {
  readonly parent: Installation;
  /** They are taken one by one, with turns for others between. */
  readonly templates: Iterable<PlannedTemplate>;
  readonly existing: readonly Installation[];
}

function buildSpec(parent: Installation, { template, source }: PlannedTemplate): InstallationSpec {
  const { context } = parent.spec;
  const {
    imports,
    importDataMappings,
    exports,
    exportDataMappings,
    optimization,
    blueprint: _,
    ...identity
  } = template;
  const { apiVersion: _version, kind: _kind, name: _name, ...rest } = identity;
  expectNothingElse(rest);
  return fromEveryField<InstallationSpec>({
    context,
    // Subinstallations run what was verified with their root.
    verification: undefined,
    componentDescriptor: source.componentDescriptor,
    blueprint: source.blueprint,
    imports,
    importDataMappings,
    exports,
    exportDataMappings,
    // Root Installations alone have jobs of their own.
    automaticReconcile: undefined,
    optimization,
  });
}

function buildSubinstallation(parent: Installation, planned: PlannedTemplate): Installation {
  const { template, pins } = planned;
  return {
    apiVersion,
    kind: "Installation",
    metadata: {
      name: childName(`${template.name}-`, uidOf(parent), template.name),
      namespace: parent.metadata.namespace ?? "",
      labels: { [labels.encompassedBy]: nameOf(parent) },
      annotations: {
        [annotations.subinstallationName]: template.name,
        ...(pins === undefined ? {} : { [annotations.componentPins]: pins }),
        ...inheritedFrom(parent),
      },
      finalizers: [finalizer],
      ownerReferences: [{ ...plainOwner(parent), controller: true, blockOwnerDeletion: true }],
    },
    spec: buildSpec(parent, planned),
  };
}

/** Templates by the names of their objects: what status says for objects that have lost their annotation, also the original's. */
function notedTemplates({ status }: Installation): ReadonlyMap<string, string> {
  const cached = status?.subInstCache?.activeSubs ?? [];
  return new Map([
    ...cached.map(({ specName = "", objectName = "" }) => [objectName, specName] as const),
    ...(status?.installationRefs ?? []).map(({ name = "", ref }) => [ref?.name ?? "", name] as const),
  ]);
}

/** Name of the template that a subinstallation was made from. */
export function templateNameOf(subinstallation: Installation): string {
  return annotationOf(subinstallation, annotations.subinstallationName) ?? "";
}

function isSame(existing: Installation, desired: Installation): boolean {
  return (
    isSameJson(existing.metadata.labels, desired.metadata.labels) &&
    isSameJson(existing.metadata.annotations, desired.metadata.annotations) &&
    isSameJson(existing.spec, desired.spec)
  );
}

function checkAlive(existing: Installation): void {
  if (!isDeleting(existing)) return;
  throw new LandscaperError({
    message: `subinstallation "${templateNameOf(existing)}" (${nameOf(existing)}) is currently under deletion`,
    reason: "EnsureSubinstallations",
    operation: "CreateImportsAndSubobjects",
    hint: "wait until it is gone, then trigger the installation again",
    retry: "never",
  });
}

/**
 * Creates, updates and deletes that bring the subinstallations in step with the templates. Labels, annotations and spec are
 * overwritten wholesale (core.md §4.27); one that is being deleted while its template exists is an error (§4.28).
 */
export async function planSubinstallations({
  parent,
  templates,
  existing,
}: PlanSubinstallationsOptions): Promise<SubinstallationPlan> {
  const noted = notedTemplates(parent);
  const templateOf = (object: Installation): string => templateNameOf(object) || (noted.get(nameOf(object)) ?? "");
  const byTemplate = new Map(existing.map((object) => [templateOf(object), object]));
  const create: Installation[] = [];
  const update: Installation[] = [];
  const refs: SubinstallationPlan["refs"][number][] = [];
  const planOne = (planned: PlannedTemplate): SubinstallationPlan["refs"][number] => {
    const { template } = planned;
    const desired = buildSubinstallation(parent, planned);
    const found = byTemplate.get(template.name);
    if (found === undefined) {
      create.push(desired);
      return { name: template.name, objectName: nameOf(desired) };
    }
    checkAlive(found);
    const { labels: wantedLabels = {}, annotations: wantedAnnotations = {} } = desired.metadata;
    if (!isSame(found, desired)) {
      const metadata = { ...found.metadata, labels: wantedLabels, annotations: wantedAnnotations };
      update.push({ ...found, metadata, spec: desired.spec });
    }
    return { name: template.name, objectName: nameOf(found) };
  };
  const breathe = createBreather();
  for (const planned of templates) {
    refs.push(planOne(planned));
    await breathe();
  }
  const names = new Set(refs.map(({ name }) => name));
  const remove = existing.filter((object) => !names.has(templateOf(object)));
  return { create, update, remove, refs };
}

/** Whether the mark has still to be set that lets an orphan go although siblings import from it (core.md §1.1 no. 15). */
export function needsIgnoreSuccessors(orphan: Installation): boolean {
  return !hasAnnotation(orphan, annotations.deleteIgnoreSuccessors);
}
