import { StatusError } from "../status/status-error.ts";

/** The form of an answer that the Accept header asks for. */
export type MediaForm =
  | { readonly form: "object" }
  | { readonly form: "table"; readonly version: string }
  | { readonly form: "metadata"; readonly version: string }
  | { readonly form: "discovery"; readonly version: string };

/** Picks the first form of the Accept header that the server has. Throws 406 when there is none. */
export function negotiate(accept: string | undefined): MediaForm {
  if (accept === undefined || accept === "") return { form: "object" };
  for (const range of accept.split(",")) {
    const form = parseRange(range);
    if (form !== undefined) return form;
  }
  throw new StatusError({
    code: 406,
    reason: "NotAcceptable",
    message:
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, " +
      "application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
    details: {},
  });
}

function parseRange(range: string): MediaForm | undefined {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
  if (!["application/json", "application/*", "*/*", "text/plain"].includes(type)) return undefined;
  const values = new Map(parameters.map((parameter) => splitParameter(parameter)));
  const as = values.get("as");
  const version = values.get("v") ?? "v1";
  switch (as) {
    case undefined:
      return { form: "object" };
    case "Table":
      return version === "v1" || version === "v1beta1" ? { form: "table", version } : undefined;
    case "PartialObjectMetadata":
    case "PartialObjectMetadataList":
      return version === "v1" || version === "v1beta1" ? { form: "metadata", version } : undefined;
    case "APIGroupDiscoveryList":
      return version === "v2" || version === "v2beta1" ? { form: "discovery", version } : undefined;
    default:
      return undefined;
  }
}

function splitParameter(parameter: string): readonly [string, string] {
  const [key = "", value = ""] = parameter.split("=");
  return [key, value];
}
