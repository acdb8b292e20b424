import type { UnstructuredObject } from "@landscaper/api";
import { recordAt, stringAt } from "../objects/json.ts";
import { dns1035LabelProblems } from "../objects/validate-names.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import { validateServiceStatus } from "./balancer-status.ts";
import { dropBalancerStatus, dropUnused, keepAllocated, withChangedAddress } from "./service-fields.ts";
import { validateService } from "./validate-service.ts";

/** Services: ports, addresses that stay, and the fields of each type. */
export const serviceStrategy: Strategy = {
  validateName: dns1035LabelProblems,
  // A client that does not send the allocated values back keeps them.
  prepareForUpdate: (service, old) => {
    const before = recordAt(old, "spec");
    const spec = dropUnused(keepAllocated(withChangedAddress(recordAt(service, "spec"), before), before), before);
    return dropBalancerStatus({ ...service, spec });
  },
  validate: validateService,
  validateStatus: validateServiceStatus,
  warnings: (service: UnstructuredObject) =>
    stringAt(service, "spec", "clusterIP") === "None" && stringAt(service, "spec", "sessionAffinity") !== ""
      ? ["spec.SessionAffinity is ignored for headless services"]
      : [],
};
