import { createHash } from "node:crypto";
import { annotations, type DeployerRegistration, type Installation } from "@landscaper/api";
import { canonicalJson } from "@landscaper/ocm";
import { annotationOf } from "../../object-reading.ts";

/** The same for equal templates of a registration: sha256 in hex. */
export function templateHash({ spec }: DeployerRegistration): string {
  return createHash("sha256").update(canonicalJson(spec.installationTemplate)).digest("hex");
}

/** The hash of the template that the Installation of a deployer was made from. */
export function madeFrom(installation: Installation): string | undefined {
  return annotationOf(installation, annotations.deployerTemplate);
}
