import { overwrite, systemTarget } from "../controllers/system-writes.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { createObject } from "../rest/create-object.ts";
import { deleteObject } from "../rest/delete-object.ts";
import type { RestContext, RestTarget } from "../rest/rest-context.ts";
import { systemWrite } from "../rest/rest-context.ts";
import { replaceObject } from "../rest/update-object.ts";
import { StatusError } from "../status/status-error.ts";
import type { Action } from "./actions.ts";

/** Does what a controller has decided; answers what the API said against a create. Other writes throw StatusError. */
export function performActions(context: RestContext, actions: readonly Action[]): string | undefined {
  let failure: string | undefined;
  for (const action of actions) {
    if (action.do !== "create") change(context, action);
    // As the real controllers: what one create has failed for will fail the others, too.
    else failure ??= create(context, action);
  }
  return failure;
}

function targetOf(context: RestContext, { object }: Action): RestTarget {
  const { apiVersion, kind, metadata } = object;
  const definition: ResourceDefinition | undefined = context.resources.findKind(apiVersion, kind);
  if (definition === undefined) throw new Error(`the cluster lacks its own kind ${kind}`);
  return systemTarget(definition, { namespace: metadata.namespace ?? "", name: metadata.name ?? "" });
}

function create(context: RestContext, action: Action & { readonly do: "create" }): string | undefined {
  try {
    createObject(context, { ...targetOf(context, action), name: "" }, { body: action.object, options: systemWrite });
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.message;
  }
}

function change(context: RestContext, action: Exclude<Action, { readonly do: "create" }>): void {
  const target = targetOf(context, action);
  const { definition, namespace, name } = target;
  const current = context.store.collection(definition.storage).get(namespace, name);
  if (current === undefined || current.uid !== action.object.metadata.uid) return;
  switch (action.do) {
    case "update": {
      const { resourceVersion: _version, managedFields: _fields, ...metadata } = action.object.metadata;
      const { managedFields } = current.object.metadata;
      const kept = managedFields === undefined ? metadata : { ...metadata, managedFields };
      replaceObject(context, target, {
        current,
        object: { ...action.object, metadata: kept },
        options: systemWrite,
      });
      return;
    }
    case "status": {
      const object = { ...current.object, status: action.status };
      overwrite(context, definition, { current, object, subresource: "status" });
      return;
    }
    case "delete":
      deleteObject(context, target, {
        dryRun: false,
        uid: current.uid,
        propagationPolicy: action.propagationPolicy ?? "Background",
      });
  }
}
