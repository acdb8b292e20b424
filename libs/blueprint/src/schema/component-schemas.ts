import { gunzipSync } from "node:zlib";
import { fromYaml, YamlError } from "@landscaper/goyaml";
import { componentText, findResource, parseResourceReference, type ComponentDescriptor } from "@landscaper/ocm";
import { resourceText } from "../blueprint-component.ts";
import { blueprintError } from "../blueprint-error.ts";
import type { RenderContext } from "../render-context.ts";
import type { ResourceContent } from "../template-host.ts";
import type { SchemaSource } from "./resolve-schema-refs.ts";

/** More than any schema has. */
const maxSchemaBytes = 5 * 1024 * 1024;

/**
 * Reads the schemas behind cd:// references, seen from the component of the blueprint; references inside of a schema are seen from the component that has it (core.md §3.8).
 * Undefined without a component. What it returns throws LandscaperError.
 */
export function componentSchemas({
  component,
  host,
}: Pick<RenderContext, "component" | "host">): SchemaSource["readComponentSchema"] {
  const readContent = host?.readContent;
  if (component === undefined || readContent === undefined) return undefined;
  const seenFrom = (root: ComponentDescriptor): NonNullable<SchemaSource["readComponentSchema"]> => {
    return (reference) => {
      const found = findResource(parseResourceReference(reference), root, component.lookupOriginal);
      const document = parseSchema(readContent(found), resourceText(found));
      const owner = componentText(found.component);
      const readComponentSchema = seenFrom(found.component);
      return { component: owner, localTypes: {}, files: undefined, document, readComponentSchema };
    };
  };
  return seenFrom(component.descriptor);
}

function parseSchema({ bytes }: ResourceContent, where: string): unknown {
  const text = Buffer.from(unpack(bytes, where)).toString("utf8");
  try {
    return fromYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw blueprintError("InvalidInput", `${where}: expected a JSON schema: ${error.explanation}`, { cause: error });
  }
}

/** Compression is told by the first bytes, not by the media type. */
function unpack(bytes: Uint8Array, where: string): Uint8Array {
  if (bytes.length > maxSchemaBytes) throw tooLarge(where);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxSchemaBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(where);
    throw blueprintError("InvalidInput", `${where}: damaged gzip content`, { cause: error });
  }
}

function tooLarge(where: string): Error {
  return blueprintError("InvalidInput", `${where}: expected a JSON schema of at most ${maxSchemaBytes} bytes`);
}
