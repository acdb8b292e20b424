import { labels, port, portOrName, requiredOneOf } from "./field-rules.ts";
import type { StructRules } from "./compile-struct-rules.ts";

/** Services and what belongs to them. */
export const networkRules: Readonly<Record<string, StructRules>> = {
  ServiceSpec: {
    fields: {
      type: requiredOneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"),
      sessionAffinity: requiredOneOf("ClientIP", "None"),
      selector: labels,
    },
  },
  ServicePort: {
    fields: { port, targetPort: portOrName },
  },
};
