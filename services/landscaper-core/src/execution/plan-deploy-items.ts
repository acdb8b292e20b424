import {
  annotations,
  apiVersion,
  expectNothingElse,
  finalizer,
  fromEveryField,
  inheritedAnnotations,
  labels,
  noTargetName,
  toTimestamp,
  type DeployItem,
  type DeployItemSpec,
  type DeployItemTemplate,
  type Execution,
  type OwnerReference,
} from "@landscaper/api";
import { formatPins, parsePins, type ComponentPins } from "@landscaper/components";
import { isSameJson } from "../is-same-json.ts";
import { annotationOf, inheritedFrom, isDeleting, nameOf, uidOf } from "../object-reading.ts";
import { formerSensitiveConfig, sensitiveConfigOf } from "../installation/subobjects/sensitive-configs.ts";
import type { ClusterNames } from "./cluster-names.ts";
import { itemNameOf } from "./deploy-item-identity.ts";
import { deployItemName } from "./identify-deploy-items.ts";

/** Difference between the items of a spec and the DeployItems that exist. */
export interface DeployItemPlan {
  readonly create: readonly DeployItem[];
  readonly update: readonly DeployItem[];
  /** Their item is gone from the spec. */
  readonly remove: readonly DeployItem[];
}

export interface PlanDeployItemsOptions {
  readonly execution: Execution;
  readonly templates: readonly DeployItemTemplate[];
  readonly existing: readonly DeployItem[];
  /** Of items that ask for them; what is unknown stays as it stands on the item. */
  readonly clusterNames: ClusterNames;
  /** Names of existing DeployItems whose stored label is not the one in `existing`. Default: none. */
  readonly mislabelled?: ReadonlySet<string>;
  readonly now: Date;
  /** For the annotation of new items; a controller keeps it. Default: none. */
  readonly environmentsOf?: (item: DeployItem) => string | undefined;
  /** Id of the landscaper cluster. Default: an annotation that is there stays. */
  readonly hubId?: string | undefined;
}

function ownerOf(execution: Execution): OwnerReference {
  return {
    apiVersion,
    kind: "Execution",
    name: nameOf(execution),
    uid: uidOf(execution),
    controller: true,
    blockOwnerDeletion: true,
  };
}

function buildSpec(execution: Execution, template: DeployItemTemplate): DeployItemSpec {
  const { context } = execution.spec;
  const { type, target, config, timeout, updateOnChangeOnly, onDelete, ...metadata } = template;
  // These become the object's name, labels and annotations.
  const { name: _name, labels: _labels, dependsOn: _dependsOn, ...rest } = metadata;
  expectNothingElse(rest);
  return fromEveryField<DeployItemSpec>({ type, target, context, config, timeout, updateOnChangeOnly, onDelete });
}

/** Type and target also stand in annotations, so that deployers can judge by metadata alone (core.md §1.3 no. 71). */
function buildAnnotations(options: PinnedOptions, template: DeployItemTemplate): Record<string, string> {
  const { execution, clusterNames, hubId } = options;
  const dependsOn = template.dependsOn ?? [];
  const clusterName = clusterNames.get(template.name);
  const sensitive = sensitiveConfigOf(annotationOf(execution, annotations.sensitiveConfig), template.name);
  const pin = options.pins?.[template.name];
  return {
    [annotations.deployerType]: template.type,
    [annotations.deployerTargetName]: template.target?.name ?? noTargetName,
    ...(hubId === undefined ? {} : { [annotations.hubId]: hubId }),
    ...(dependsOn.length === 0 ? {} : { [annotations.dependsOn]: dependsOn.join(",") }),
    ...inheritedFrom(execution),
    ...(sensitive === undefined ? {} : { [annotations.sensitiveConfig]: sensitive }),
    ...(pin === undefined ? {} : { [annotations.componentPins]: formatPins(pin) }),
    ...(clusterName === undefined ? {} : { [annotations.clusterName]: clusterName }),
  };
}

/** With what the annotation of the Execution says of charts. */
interface PinnedOptions extends PlanDeployItemsOptions {
  readonly pins: ComponentPins["items"];
}

function buildLabels(execution: Execution, template: DeployItemTemplate): Record<string, string> {
  return { ...template.labels, [labels.managedBy]: nameOf(execution), [labels.managedName]: template.name };
}

function buildDeployItem(options: PinnedOptions, template: DeployItemTemplate): DeployItem {
  const { execution, now } = options;
  const item: DeployItem = {
    apiVersion,
    kind: "DeployItem",
    metadata: {
      name: deployItemName(execution, template.name),
      namespace: execution.metadata.namespace ?? "",
      labels: buildLabels(execution, template),
      annotations: { ...buildAnnotations(options, template), [annotations.reconcileTime]: toTimestamp(now) },
      finalizers: [finalizer],
      ownerReferences: [ownerOf(execution)],
    },
    spec: buildSpec(execution, template),
  };
  const environments = options.environmentsOf?.(item);
  if (environments === undefined) return item;
  const marks = { ...item.metadata.annotations, [annotations.environments]: environments };
  return { ...item, metadata: { ...item.metadata, annotations: marks } };
}

/** Annotations that are ours to remove when the item does not want them any more. */
const optionalAnnotations: readonly string[] = [
  annotations.dependsOn,
  annotations.sensitiveConfig,
  annotations.componentPins,
  ...inheritedAnnotations,
];

/** The existing object as the template wants it; the object itself when nothing changes, so that its generation stays (core.md §4.31). */
function updateDeployItem(options: PinnedOptions, existing: DeployItem, template: DeployItemTemplate): DeployItem {
  const { execution, clusterNames, now } = options;
  const dropped = clusterNames.has(template.name)
    ? [...optionalAnnotations, annotations.clusterName]
    : optionalAnnotations;
  const kept = Object.entries(existing.metadata.annotations ?? {}).filter(([key]) => !dropped.includes(key));
  const before = existing.metadata.annotations;
  const former = formerSensitiveConfig(
    before,
    sensitiveConfigOf(annotationOf(execution, annotations.sensitiveConfig), template.name),
  );
  const marks = former === undefined ? {} : { [annotations.formerSensitiveConfig]: former };
  const wanted: DeployItem = {
    ...existing,
    metadata: {
      ...existing.metadata,
      labels: { ...existing.metadata.labels, ...buildLabels(execution, template) },
      annotations: { ...Object.fromEntries(kept), ...buildAnnotations(options, template), ...marks },
    },
    spec: buildSpec(execution, template),
  };
  if (isSameJson(wanted, existing)) return existing;
  const withTime = { ...wanted.metadata.annotations, [annotations.reconcileTime]: toTimestamp(now) };
  return { ...wanted, metadata: { ...wanted.metadata, annotations: withTime } };
}

/** Creates, updates and deletes that bring the DeployItems in step with the spec of their Execution. */
export function planDeployItems(given: PlanDeployItemsOptions): DeployItemPlan {
  const { execution, templates, existing, mislabelled } = given;
  const options = { ...given, pins: parsePins(annotationOf(execution, annotations.componentPins))?.items };
  const byName = new Map(existing.map((deployItem) => [itemNameOf(deployItem), deployItem]));
  const create: DeployItem[] = [];
  const update: DeployItem[] = [];
  for (const template of templates) {
    const found = byName.get(template.name);
    if (found === undefined) {
      create.push(buildDeployItem(options, template));
      continue;
    }
    const wanted = updateDeployItem(options, found, template);
    if (wanted !== found || mislabelled?.has(nameOf(found)) === true) update.push(wanted);
  }
  const names = new Set(templates.map(({ name }) => name));
  const remove = existing.filter((deployItem) => !names.has(itemNameOf(deployItem)) && !isDeleting(deployItem));
  return { create, update, remove };
}
