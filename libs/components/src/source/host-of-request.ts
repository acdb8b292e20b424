import { LandscaperError } from "@landscaper/api";
import { parseReference } from "@landscaper/oci";
import { parseRepositoryContext } from "../repository/repository-context.ts";
import type { ComponentRequest } from "../supply/component-request.ts";

/** The host that answers a request, for messages; undefined where nothing names one, or it is no registry. */
export function hostOfRequest(request: ComponentRequest): string | undefined {
  try {
    const access = request.type === "descriptor" ? undefined : request.access;
    if (access?.kind === "artifact") return parseReference(access.reference).host;
    if (access?.kind === "blob") return parseReference(access.repository).host;
    const spec = request.context === undefined ? undefined : parseRepositoryContext(request.context, "");
    return spec?.kind === "registry" ? spec.host : undefined;
  } catch (error) {
    if (error instanceof LandscaperError) return undefined;
    throw error;
  }
}
