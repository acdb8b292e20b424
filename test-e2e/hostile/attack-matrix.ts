// Attacks by the accounts of an Environment, with every kind and verb for which they have rights: docs/reference/attack-matrix.md

import { isDeepStrictEqual } from "node:util";
import { agentNames, annotations, type KubeObject } from "@landscaper/api";
import { ApiError, isAlreadyExists, resourcePath, type Client } from "@landscaper/controller-runtime";
import { attacksOn, plainObject, type Attack } from "./attack-variants.ts";
import { ownerOf, type BoundedObjects } from "./bounded-objects.ts";
import { dryRun, dryRunDelete } from "./dry-run-writes.ts";
import { hostedEnvironment } from "./environment-objects.ts";
import { listReach, listUnknownRights, type Reach } from "./reach.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";

export interface MatrixRow {
  readonly account: string;
  /** Plural of the kind, followed by "/" and the subresource if there is one. */
  readonly resource: string;
  readonly verb: string;
  /** Owner or role of the object that the write changes, such as "a tenant's". */
  readonly target: string;
  readonly attack: string;
  /** "permitted", "no effect", "untried" (the matrix has no object for the right), or the cause of the refusal: "rights", "validation", "not found", or the name of a policy. */
  readonly outcome: string;
}

export interface MatrixAccount {
  /** Name of the account in the matrix. */
  readonly name: string;
  /** Identity with which the account may claim DeployItems. */
  readonly identity: string;
  /** Namespace in which the account has its rights. Default: the attacked namespace. */
  readonly home?: string;
}

export interface MatrixPlace {
  /** Client of an administrator, for discovery. */
  readonly client: Client;
  readonly namespace: string;
  readonly own: string;
  readonly other: string;
  readonly registration: string;
  readonly objects: BoundedObjects;
  readonly hub: Pick<TestCluster, "url" | "ca">;
}

interface Subject {
  readonly target: string;
  readonly object: KubeObject;
}

/** Annotations that attacks remove. */
const removable: readonly string[] = [annotations.environments, annotations.operation];

/** Returns the fields that a write can change: all except the fields that the API server sets for every write. */
function contentOf(object: unknown): unknown {
  const { metadata, ...fields } = Object(object) as KubeObject; // the API server answers with an object
  const {
    managedFields: _managers,
    resourceVersion: _version,
    generation: _generation,
    ...rest
  } = metadata as KubeObject["metadata"] & {
    readonly managedFields?: unknown;
    readonly generation?: number;
  };
  return { ...fields, metadata: rest };
}

/** Sends the request and classifies its outcome. `before` is the object that a write changes; undefined for creates, deletes and reads. */
export async function outcomeOf(write: () => Promise<unknown>, before: KubeObject | undefined): Promise<string> {
  try {
    const after = await write();
    const hasEffect = before === undefined || !isDeepStrictEqual(contentOf(after), contentOf(before));
    return hasEffect ? "permitted" : "no effect";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Such a policy also refuses honest accounts.
    if (error.message.includes("resulted in error")) throw error;
    if (error.status === 404) return "not found";
    // Policies have permitted a create of an object that exists.
    if (before === undefined && isAlreadyExists(error)) return "permitted";
    if (error.status !== 403) return "validation";
    return /ValidatingAdmissionPolicy '([^']+)'/.exec(error.message)?.[1] ?? "rights";
  }
}

/** Lists the existing objects of a kind, each with its owner or role. */
function listExisting({ objects, namespace }: MatrixPlace, plural: string): readonly Subject[] {
  const subjects = (all: readonly KubeObject[], targets: readonly string[]): readonly Subject[] =>
    all.flatMap((object, index) => (targets[index] === undefined ? [] : { target: targets[index], object }));
  const elsewhere = "another Environment's";
  switch (plural) {
    case "deployitems":
      return subjects(objects.items, [
        "its own",
        elsewhere,
        "its own, claimed by another Environment",
        "its own, claimed",
        "of its host",
        "without a Target",
        "a tenant's",
        "its own, being deleted",
        "without a Target, claimed by another Environment",
        "its own, claimed by a deployer of the hub",
      ]);
    case "secrets":
      return subjects(objects.secrets, ["its own", elsewhere, "a tenant's with its mark", "a tenant's"]);
    case "leases":
      return subjects(objects.leases, ["its deployer's", "its agent's", elsewhere, "the core's"]);
    case "events":
      return subjects(objects.events, ["its deployer's", "its agent's", elsewhere]);
    case "serviceaccounts":
      return [
        {
          target: "a tenant's",
          object: {
            ...plainObject({ apiVersion: "v1", kind: "ServiceAccount" }, namespace),
            metadata: { namespace, name: "default" },
          },
        },
      ];
    case "environments":
      return subjects(objects.environments, ["its own", "another one"]);
    default:
      return [];
  }
}

/** Lists new objects: a permitted one, and others with foreign names or in foreign namespaces. */
function listNew(place: MatrixPlace, { type }: Reach): readonly Subject[] {
  const { objects, namespace, own, other, registration, hub } = place;
  const fresh = (base: KubeObject, name: string, at = namespace): KubeObject => {
    const kept = ["labels", "annotations", "ownerReferences"];
    const metadata = Object.fromEntries(Object.entries(base.metadata).filter(([key]) => kept.includes(key)));
    return { ...base, metadata: { ...metadata, name, namespace: at } };
  };
  const [, , , busy] = objects.items;
  const [secret] = objects.secrets;
  const [lease] = objects.leases;
  const [event] = objects.events;
  const named = (
    base: KubeObject | undefined,
    names: Readonly<Record<string, readonly [name: string, at?: string]>>,
  ): readonly Subject[] =>
    base === undefined
      ? []
      : Object.entries(names).map(([target, [name, at]]) => ({ target, object: fresh(base, name, at) }));
  switch (type.plural) {
    case "secrets": {
      const ofBusy = secret &&
        busy && { ...secret, metadata: { ...secret.metadata, ownerReferences: [ownerOf(busy)] } };
      return named(ofBusy, {
        "exports of its item": ["busy-export"],
        "plan of its item": ["busy-plan"],
        "exports of another item": ["theirs-export"],
        "a release of Helm": ["sh.helm.release.v1.landscaper.v2"],
        "exports in kube-system": ["busy-export", "kube-system"],
      });
    }
    case "leases":
      return named(lease, {
        "a deployer's name": [`pod-${registration}.helm.0123abcd`],
        "a name of the core": ["landscaper-core-main"],
        "a name of its agent": [agentNames(own).lease],
        "a name of a future agent": [agentNames(`${other}-2`).lease],
      });
    case "events":
      return named(event, { "about its item": ["new"], "in kube-system": ["new", "kube-system"] });
    case "environments":
      return [own, other].map((name) => ({
        target: name === own ? "its own" : "another one",
        object: hostedEnvironment(name, hub, { namespaces: ["team-a"] }),
      }));
    default:
      return [];
  }
}

function send(as: Client, { verb, type, subresource }: Reach, object: KubeObject): Promise<unknown> {
  const { namespace, name = "" } = object.metadata;
  const key = { ...(type.namespaced && namespace !== undefined ? { namespace } : {}), name };
  switch (verb) {
    case "create":
      if (subresource === "") return as.create(type, object, dryRun);
      return as.request({
        method: "POST",
        path: `${resourcePath(type, key)}/${subresource}?dryRun=All`,
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
      });
    case "update":
      return subresource === "status" ? as.updateStatus(type, object, dryRun) : as.update(type, object, dryRun);
    case "patch":
      return as.patch(type, key, { type: "merge", body: toMergePatch(object), dryRun: true });
    case "delete":
      return dryRunDelete(type, key)(as);
    case "deletecollection":
      return dryRunDelete(type, { ...key, name: "" })(as);
  }
}

/** Returns the object as a merge patch. It removes the removable annotations that the object does not have. */
function toMergePatch(object: KubeObject): object {
  const { annotations: marks = {}, ...metadata } = object.metadata;
  const removed = Object.fromEntries(removable.filter((key) => !(key in marks)).map((key) => [key, null]));
  return { ...object, metadata: { ...metadata, annotations: { ...marks, ...removed } } };
}

function untried({ name }: MatrixAccount, resource: string, verb: string): MatrixRow {
  return { account: name, resource, verb, target: "", attack: "", outcome: "untried" };
}

async function listAll(
  as: Client,
  { home }: MatrixAccount,
  { client, namespace }: MatrixPlace,
): Promise<readonly Reach[]> {
  const lists = await Promise.all(
    [...new Set([namespace, home ?? namespace])].map(async (at) => listReach(as, client, at)),
  );
  const byRight = lists.flat().map((reach) => [JSON.stringify(reach), reach] as const);
  return [...new Map(byRight).values()];
}

/** Tries all attacks for every right of the account in its home and in the attacked namespace, as dry runs. */
export async function runMatrix(as: Client, account: MatrixAccount, place: MatrixPlace): Promise<readonly MatrixRow[]> {
  const { client, namespace } = place;
  const unknown = await listUnknownRights(as, client, account.home ?? namespace);
  const rows: MatrixRow[] = unknown.map((right) => untried(account, right, ""));
  for (const reach of await listAll(as, account, place)) {
    const { type, verb, subresource } = reach;
    const resource = subresource === "" ? type.plural : `${type.plural}/${subresource}`;
    const subjects = verb === "create" && subresource === "" ? listNew(place, reach) : listExisting(place, type.plural);
    const attacks: readonly Attack[] =
      verb === "delete" || verb === "deletecollection" || subresource === "token"
        ? [{ name: "nothing foreign", edit: (object) => object }]
        : attacksOn(type.kind, { owners: place.objects.owners, identity: account.identity }, place.other);
    if (subjects.length === 0) rows.push(untried(account, resource, verb));
    for (const { target, object } of subjects) {
      for (const { name, edit } of attacks) {
        const isChange = verb === "update" || verb === "patch";
        const outcome = await outcomeOf(async () => send(as, reach, edit(object)), isChange ? object : undefined);
        rows.push({ account: account.name, resource, verb, target, attack: name, outcome });
      }
    }
  }
  return rows;
}
