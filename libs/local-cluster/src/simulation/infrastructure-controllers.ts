import type { UnstructuredObject } from "@landscaper/api";
import { builtin, overwrite, systemTarget } from "../controllers/system-writes.ts";
import { listAt, recordAt, stringAt } from "../objects/json.ts";
import { createObject } from "../rest/create-object.ts";
import { deleteObject } from "../rest/delete-object.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { systemWrite } from "../rest/rest-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { bindClaim, volumeNameOf } from "./bind-claim.ts";
import type { SimulationHost } from "./start-controller.ts";

const claims = "persistentvolumeclaims";
const volumes = "persistentvolumes";

/** Binds claims to volumes, and removes the volumes with their claims. */
export function startVolumeController({ context, loop }: SimulationHost): void {
  context.store.subscribe(claims, ({ type, current }) => {
    const { namespace, name } = current;
    loop.enqueue(`simulation/${claims}/${namespace}/${name}`, () => {
      if (type === "DELETED") removeVolume(context, current.object);
      else bind(context, namespace, name);
    });
  });
  // A volume that a claim has waited for by its name.
  context.store.subscribe(volumes, ({ type, current }) => {
    const { namespace = "", name = "" } = recordAt(current.object, "spec", "claimRef");
    if (type === "DELETED" || typeof namespace !== "string" || typeof name !== "string" || name === "") return;
    loop.enqueue(`simulation/${claims}/${namespace}/${name}`, () => bind(context, namespace, name));
  });
}

function bind(context: RestContext, namespace: string, name: string): void {
  const current = context.store.collection(claims).get(namespace, name);
  const find = (volume: string): UnstructuredObject | undefined =>
    context.store.collection(volumes).get("", volume)?.object;
  const binding = current && bindClaim(current.object, find);
  if (current === undefined || binding === undefined) return;
  const { volume, claim } = binding;
  if (volume !== undefined && find(volumeNameOf(current.object)) === undefined) createVolume(context, volume);
  overwrite(context, builtin(context, "v1", claims), { current, object: claim, subresource: "status" });
}

function createVolume(context: RestContext, volume: UnstructuredObject): void {
  const definition = builtin(context, "v1", volumes);
  const { object: current } = createObject(context, systemTarget(definition, { name: "" }), {
    body: volume,
    options: systemWrite,
  });
  const object = { ...current.object, status: { phase: "Bound" } };
  overwrite(context, definition, { current, object, subresource: "status" });
}

function removeVolume(context: RestContext, claim: UnstructuredObject): void {
  const name = volumeNameOf(claim);
  if (context.store.collection(volumes).get("", name) === undefined) return;
  deleteObject(context, systemTarget(builtin(context, "v1", volumes), { name }), { dryRun: false });
}

/** Gives Services of type LoadBalancer their address. */
export function startLoadBalancerController({ context, loop }: SimulationHost, address: string): void {
  const isWaiting = ({ object }: StoredObject): boolean =>
    stringAt(object, "spec", "type") === "LoadBalancer" &&
    listAt(object, "status", "loadBalancer", "ingress").length === 0;
  context.store.subscribe("services", ({ type, current: { namespace, name } }) => {
    if (type === "DELETED") return;
    loop.enqueue(`simulation/services/${namespace}/${name}`, () => {
      const current = context.store.collection("services").get(namespace, name);
      if (current === undefined || !isWaiting(current)) return;
      const status = {
        ...recordAt(current.object, "status"),
        loadBalancer: { ingress: [{ ip: address, ipMode: "VIP" }] },
      };
      const object = { ...current.object, status };
      overwrite(context, builtin(context, "v1", "services"), { current, object, subresource: "status" });
    });
  });
}
