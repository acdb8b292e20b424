import type { UnstructuredObject } from "@landscaper/api";
import { isForbidden } from "@landscaper/controller-runtime";
import { resourceFailure } from "../cluster/resource-failure.ts";
import { groupOf } from "../cluster/resource-reference.ts";
import { locateTypeOrNone, type TargetCluster } from "../cluster/target-cluster.ts";
import { fieldAt, isJsonObject, type JsonObject } from "../json-value.ts";
import { clusterFields } from "./cluster-fields.ts";
import { ignoredFields, type IgnoreRule } from "./ignore-rules.ts";
import { keepsAll, withKeptFields, type KeptField } from "./kept-field.ts";

export interface KeptFieldsOptions {
  readonly cluster: TargetCluster;
  readonly manifest: UnstructuredObject;
  readonly live: UnstructuredObject;
  /** Of the configuration. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** Whether the write removes fields that the manifest does not set. */
  readonly replaces: boolean;
  readonly signal: AbortSignal;
}

/**
 * Returns the fields of a live object that a write of the manifest leaves as they are: those that belong to the cluster, and those that the
 * configuration ignores (docs/reference/objects-on-targets.md#fields-of-the-cluster). Lists the autoscalers of the namespace if the object may
 * have been scaled. Throws LandscaperError if the cluster does not answer.
 */
export async function findKeptFields(options: KeptFieldsOptions): Promise<readonly KeptField[]> {
  const { manifest, live, ignore = [] } = options;
  const facts = { isAutoscaled: await isAutoscaled(options) };
  return [...clusterFields({ manifest, live, facts }), ...ignoredFields({ manifest, live }, ignore)];
}

/**
 * Returns the manifest with the kept fields; undefined if the whole object is kept. A three-way merge keeps additions by itself, unless a former
 * revision had them: it needs no `withAdditions`. Throws as `findKeptFields`.
 */
export async function leaveKeptFields({
  withAdditions = false,
  ...options
}: KeptFieldsOptions & { readonly withAdditions?: boolean }): Promise<UnstructuredObject | undefined> {
  const kept = await findKeptFields(options);
  if (keepsAll(kept)) return undefined;
  const fields = withAdditions ? kept : kept.filter(({ isAddition }) => isAddition !== true);
  return withKeptFields(options.manifest, fields);
}

/** Whether the replicas equal the manifest, or an existing autoscaler has set them. Throws as `findKeptFields`. */
export async function areReplicasSettled(options: KeptFieldsOptions): Promise<boolean> {
  const [wanted, found] = replicasOf(options);
  const isSettled = wanted === undefined ? !options.replaces || found === undefined : wanted === found;
  return isSettled || found === (wanted ?? defaultReplicas) || (await isAutoscaled(options));
}

/** In the manifest and on the target. Templates leave an empty value as null. */
function replicasOf({ manifest, live }: Pick<KeptFieldsOptions, "manifest" | "live">): readonly [unknown, unknown] {
  return [fieldAt(manifest, "spec", "replicas") ?? undefined, fieldAt(live, "spec", "replicas") ?? undefined];
}

/** Default of the API server. */
const defaultReplicas = 1;

async function isAutoscaled(options: KeptFieldsOptions): Promise<boolean> {
  const { manifest, live, replaces } = options;
  const [wanted, found] = replicasOf(options);
  // Kubernetes switches an autoscaler off while its object has no replicas: then the manifest counts.
  if (wanted === 0 || found === 0 || found === undefined || found === (wanted ?? defaultReplicas)) return false;
  // The API server records who scales an object only if its replicas were set before.
  const scaler = findScaler(live);
  const isOpen = wanted === undefined;
  // A null in the manifest removes the field by whatever write.
  const isLeft = fieldAt(manifest, "spec", "replicas") === undefined && !replaces;
  if (isOpen ? isLeft : scaler === undefined) return false;
  const autoscalers = await listAutoscalers(options);
  // Without the right to list autoscalers, the field manager decides: Kubernetes runs its autoscalers in kube-controller-manager.
  if (autoscalers === undefined) return isOpen || scaler === "kube-controller-manager";
  return autoscalers.some((autoscaler) => scales(autoscaler, live));
}

/** The manager that has set `spec.replicas` by the subresource `scale`. */
function findScaler({ metadata }: UnstructuredObject): unknown {
  const { managedFields } = metadata;
  const entries: readonly unknown[] = Array.isArray(managedFields) ? managedFields : [];
  const entry = entries.find(
    (each) =>
      fieldAt(each, "subresource") === "scale" && fieldAt(each, "fieldsV1", "f:spec", "f:replicas") !== undefined,
  );
  return fieldAt(entry, "manager");
}

type Autoscalers = readonly UnstructuredObject[] | undefined;

/** Of each pass, which has a signal of its own, by namespace: a pass may ask for a thousand objects. */
const autoscalersOfPass = new WeakMap<AbortSignal, Map<string, Promise<Autoscalers>>>();

async function listAutoscalers(options: KeptFieldsOptions): Promise<Autoscalers> {
  const { live, signal } = options;
  const known = autoscalersOfPass.get(signal) ?? new Map<string, Promise<Autoscalers>>();
  autoscalersOfPass.set(signal, known);
  const { namespace = "" } = live.metadata;
  const listed = known.get(namespace) ?? readAutoscalers(options);
  known.set(namespace, listed);
  return await listed;
}

/** Returns undefined if the user of the target may not list autoscalers. */
async function readAutoscalers({ cluster, live, signal }: KeptFieldsOptions): Promise<Autoscalers> {
  const { namespace } = live.metadata;
  const reference = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", name: "*", namespace };
  const type = await locateTypeOrNone(cluster, reference, signal);
  if (type === undefined) return [];
  try {
    return (await cluster.client.list(type, { namespace, signal })).items;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw await resourceFailure(error, { verb: "list", reference });
  }
}

function scales(autoscaler: UnstructuredObject, { apiVersion, kind, metadata }: UnstructuredObject): boolean {
  const found = fieldAt(autoscaler, "spec", "scaleTargetRef");
  const target: JsonObject = isJsonObject(found) ? found : {};
  const { apiVersion: version = apiVersion } = target;
  const isSameGroup = typeof version === "string" && groupOf(version) === groupOf(apiVersion);
  return isSameGroup && target["kind"] === kind && target["name"] === metadata.name;
}
