import { fileRecording } from "../file-recording.ts";

interface SchemaCase {
  readonly schema: unknown;
  readonly value: unknown;
}

/** gojsonschema, the library that the original checks imports with. */
export const jsonschemaRecording = fileRecording<SchemaCase>({
  name: "blueprint",
  folder: "libs/blueprint/src/schema/testdata",
  pattern: "schema-*.json",
  engine: "jsonschema",
  options: { onCrash: () => ({ error: "stack overflow" }) },
  questionOf: ({ schema, value }) => ({ schema, value }),
  nameOf: ({ schema }) => JSON.stringify(schema),
});
