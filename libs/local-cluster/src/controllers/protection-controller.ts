import { listAt, stringAt } from "../objects/json.ts";
import type { RestContext } from "../rest/rest-context.ts";
import { builtin, removeFinalizer } from "./system-writes.ts";
import type { WorkLoop } from "./work-loop.ts";

const finalizers = {
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
  persistentvolumes: "kubernetes.io/pv-protection",
} as const;

/** Lets go of deleted volumes, and of deleted claims that no pod uses. */
export function startProtectionController(context: RestContext, loop: WorkLoop): void {
  for (const plural of ["persistentvolumeclaims", "persistentvolumes"] as const) {
    context.store.subscribe(plural, ({ current: { namespace, name }, type }) => {
      if (type === "DELETED") return;
      loop.enqueue(`protection/${plural}/${namespace}/${name}`, () => release(context, plural, { namespace, name }));
    });
  }
  context.store.subscribe("pods", ({ type, current: { namespace } }) => {
    if (type !== "DELETED") return;
    for (const { name } of context.store.collection("persistentvolumeclaims").list(namespace)) {
      loop.enqueue(`protection/persistentvolumeclaims/${namespace}/${name}`, () =>
        release(context, "persistentvolumeclaims", { namespace, name }),
      );
    }
  });
}

function release(
  context: RestContext,
  plural: keyof typeof finalizers,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): void {
  const current = context.store.collection(plural).get(namespace, name);
  if (current?.object.metadata.deletionTimestamp === undefined) return;
  if (plural === "persistentvolumeclaims" && isUsed(context, namespace, name)) return;
  removeFinalizer(context, builtin(context, "v1", plural), { current, finalizer: finalizers[plural] });
}

function isUsed(context: RestContext, namespace: string, claim: string): boolean {
  const pods = context.store.collection("pods").list(namespace);
  return pods.some(({ object }) =>
    listAt(object, "spec", "volumes").some(
      (volume) => stringAt(volume, "persistentVolumeClaim", "claimName") === claim,
    ),
  );
}
