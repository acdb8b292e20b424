import type { UnstructuredObject } from "@landscaper/api";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { recordAt } from "../objects/json.ts";
import { deleteObject } from "../rest/delete-object.ts";
import type { RestContext } from "../rest/rest-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { builtin, overwrite, systemTarget } from "./system-writes.ts";
import type { WorkLoop } from "./work-loop.ts";

const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";

/** Fills secrets of type kubernetes.io/service-account-token and deletes them with their service account. */
export function startTokenController(
  context: RestContext,
  loop: WorkLoop,
  options: { readonly tokens: ServiceAccountTokens; readonly caPem: string },
): void {
  const reconcileSoon = ({ namespace, name }: StoredObject): void =>
    loop.enqueue(`token/${namespace}/${name}`, () => reconcile(context, { namespace, name }, options));
  context.store.subscribe("secrets", ({ type, current }) => {
    if (type !== "DELETED" && isTokenSecret(current)) reconcileSoon(current);
  });
  context.store.subscribe("serviceaccounts", ({ type, current }) => {
    if (type !== "DELETED") return;
    for (const secret of context.store.collection("secrets").list(current.namespace)) {
      if (isTokenSecret(secret) && secret.object.metadata.annotations?.[nameAnnotation] === current.name) {
        reconcileSoon(secret);
      }
    }
  });
}

function isTokenSecret({ object }: StoredObject): boolean {
  return object["type"] === "kubernetes.io/service-account-token";
}

function reconcile(
  context: RestContext,
  key: { readonly namespace: string; readonly name: string },
  { tokens, caPem }: { readonly tokens: ServiceAccountTokens; readonly caPem: string },
): void {
  const current = context.store.collection("secrets").get(key.namespace, key.name);
  if (current === undefined || current.object.metadata.deletionTimestamp !== undefined) return;
  const annotations = current.object.metadata.annotations ?? {};
  const account = context.store.collection("serviceaccounts").get(key.namespace, annotations[nameAnnotation] ?? "");
  const boundUid = annotations[uidAnnotation];
  if (account === undefined || (boundUid !== undefined && boundUid !== account.uid)) {
    deleteObject(context, systemTarget(builtin(context, "v1", "secrets"), key), { dryRun: false, uid: current.uid });
    return;
  }
  const data = recordAt(current.object, "data");
  const token = data["token"] ?? encode(tokens.issueForSecret(account, key.name));
  const object: UnstructuredObject = {
    ...current.object,
    metadata: { ...current.object.metadata, annotations: { ...annotations, [uidAnnotation]: account.uid } },
    data: { ...data, "ca.crt": encode(caPem), namespace: encode(key.namespace), token },
  };
  overwrite(context, builtin(context, "v1", "secrets"), { current, object });
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}
