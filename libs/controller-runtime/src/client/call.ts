import type { ResourceType } from "@landscaper/api";
import type { RequestOptions } from "./client-interface.ts";
import type { Call } from "./request-runner.ts";

/** The metric labels of a call. */
export function callFor(verb: string, type: ResourceType, subresource?: string): Pick<Call, "verb" | "resource"> {
  return { verb, resource: subresource === undefined ? type.plural : `${type.plural}/${subresource}` };
}

/** The options of every call as optional properties, under exactOptionalPropertyTypes. */
export function sendingOf(options: RequestOptions | undefined): Pick<Call, "signal" | "beforeSend"> {
  const { signal, beforeSend } = options ?? {};
  return { ...(signal === undefined ? {} : { signal }), ...(beforeSend === undefined ? {} : { beforeSend }) };
}
