import type { ResourceType } from "@landscaper/api";
import type { Call } from "./request-runner.ts";

/** The metric labels of a call. */
export function callFor(verb: string, type: ResourceType, subresource?: string): Pick<Call, "verb" | "resource"> {
  return { verb, resource: subresource === undefined ? type.plural : `${type.plural}/${subresource}` };
}

/** The signal as an optional property, for calls under exactOptionalPropertyTypes. */
export function signalOf(options: { readonly signal?: AbortSignal | undefined } | undefined): { signal?: AbortSignal } {
  return options?.signal === undefined ? {} : { signal: options.signal };
}
