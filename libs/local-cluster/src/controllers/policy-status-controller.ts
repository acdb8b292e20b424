import { equalJson } from "../objects/json.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { builtin, overwrite } from "./system-writes.ts";
import type { WorkLoop } from "./work-loop.ts";

const storage = "validatingadmissionpolicies.admissionregistration.k8s.io";

/** Says in each policy's status that its generation is in force; no types are checked. */
export function startPolicyStatusController(context: RestContext, loop: WorkLoop): void {
  context.store.subscribe(storage, ({ type, current: { name } }) => {
    if (type === "DELETED") return;
    loop.enqueue(`policy/${name}`, () => {
      const current = context.store.collection(storage).get("", name);
      if (current === undefined) return;
      const status = { observedGeneration: current.object.metadata.generation, typeChecking: {} };
      if (equalJson(current.object["status"], status)) return;
      const definition = builtin(context, "admissionregistration.k8s.io/v1", "validatingadmissionpolicies");
      overwrite(context, definition, { current, object: { ...current.object, status }, subresource: "status" });
    });
  });
}
