import { readFileSync } from "node:fs";
import type { UnstructuredObject } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import type { FieldError } from "../status/field-error.ts";
import { compileCrdSchema } from "./compile-crd-schema.ts";
import type { CrdSchema } from "./compile-crd-schema.ts";
import { validateCrd } from "./crd/validate-crd.ts";

type Content = Record<string, unknown>;

interface RecordedCase {
  name: string;
  object: Content;
  old?: Content;
  statusUpdate?: boolean;
  want?: Content;
  errors?: FieldError[];
}

interface RecordedSchema {
  name: string;
  schema: unknown;
  cases: RecordedCase[];
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(`${import.meta.dirname}/../../testdata/schema/${file}.json`, "utf8"));
}

/** The API server's order of fields is random. */
function sortErrors(errors: readonly FieldError[]): FieldError[] {
  const text = ({ field, message }: FieldError): string => `${field}: ${message}`;
  return errors.toSorted((left, right) => (text(left) < text(right) ? -1 : 1));
}

function outcomeOf(schema: CrdSchema, recorded: RecordedCase, name: string): Pick<RecordedCase, "want" | "errors"> {
  const complete = (content: Content): UnstructuredObject =>
    schema.applyDefaults(
      schema.decode({ apiVersion: "schema.test/v1", kind: "Thing", metadata: { name }, ...content }).object,
    );
  const sent = complete(recorded.object);
  const old = recorded.old === undefined ? undefined : complete(recorded.old);
  const isStatus = recorded.statusUpdate === true && old !== undefined;
  const object = isStatus ? { ...old, status: sent["status"] } : sent;
  const errors = isStatus ? schema.validateStatus(object, old) : schema.validate(object, old);
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...want } = object;
  return errors.length === 0 ? { want } : { errors: sortErrors(errors) };
}

for (const file of ["validation", "rules"]) {
  for (const { name: title, schema: raw, cases } of read(file) as RecordedSchema[]) {
    describe(`compileCrdSchema, as the API server: ${title}`, () => {
      const schema = compileCrdSchema(raw);
      for (const [index, recorded] of cases.entries()) {
        it(recorded.name, () => {
          const { want, errors } = recorded;
          const expected = errors === undefined ? { want } : { errors: sortErrors(errors) };
          const before = structuredClone(recorded);
          expect(outcomeOf(schema, recorded, `o${index}`)).toEqual(expected);
          expect(recorded).toEqual(before);
        });
      }
    });
  }
}

describe("validateCrd, as the API server", () => {
  for (const { name, crd, errors } of read("crds") as {
    name: string;
    crd: UnstructuredObject;
    errors: FieldError[];
  }[]) {
    it(`${errors.length === 0 ? "accepts" : "refuses"} ${name}`, () => {
      const unique = new Map(validateCrd(crd).map((error) => [`${error.field}: ${error.message}`, error]));
      expect(sortErrors([...unique.values()])).toEqual(sortErrors(errors));
    });
  }
});
