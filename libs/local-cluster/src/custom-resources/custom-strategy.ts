import type { UnstructuredObject } from "@landscaper/api";
import { GoDecodeError, decodeJson } from "../builtin-types/decode-json.ts";
import { findStruct } from "../builtin-types/parse-builtin-types.ts";
import type { Decoded, Strategy } from "../resources/resource-definition.ts";
import type { CrdSchema } from "../schema/compile-crd-schema.ts";
import { badRequest } from "../status/status-error.ts";

const objectMeta = findStruct("ObjectMeta");

/** The rules of custom resources: their schema, and metadata as of every kind. */
export function customStrategy(schema: CrdSchema): Strategy {
  return {
    decode: (object) => decode(schema, object),
    applyDefaults: (object, keepsNulls) => schema.applyDefaults(object, keepsNulls),
    validate: (object, old) => schema.validate(object, old),
    validateStatus: (object, old) => schema.validateStatus(object, old),
    warnings: finalizerWarnings,
  };
}

function decode(schema: CrdSchema, object: UnstructuredObject): Decoded {
  try {
    const metadata = decodeJson(objectMeta, { ...object.metadata });
    const unknownMetadata = metadata.unknownFields.map((text) => text.replace('"', '"metadata.'));
    const decoded = schema.decode({ ...object, metadata: metadata.value });
    return { object: decoded.object, strictErrors: [...unknownMetadata, ...decoded.strictErrors] };
  } catch (error) {
    if (!(error instanceof GoDecodeError)) throw error;
    throw badRequest(
      `${object.kind} in version ${quoteVersion(object)} cannot be handled as a ${object.kind}: ${error.message}`,
    );
  }
}

function quoteVersion({ apiVersion }: UnstructuredObject): string {
  return JSON.stringify(apiVersion.split("/").at(-1));
}

/** Finalizers without a domain are accepted here, but not liked. */
function finalizerWarnings(object: UnstructuredObject, old: UnstructuredObject | undefined): readonly string[] {
  const known = old?.metadata.finalizers ?? [];
  return (object.metadata.finalizers ?? [])
    .filter((finalizer) => !finalizer.includes("/") && !known.includes(finalizer))
    .map(
      (finalizer) =>
        `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name to avoid accidental ` +
        "conflicts with other finalizer writers",
    );
}
