import { readFileSync } from "node:fs";
import type { UnstructuredObject } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import type { FieldError } from "../status/field-error.ts";
import { validateAdmissionBinding } from "./validate-admission-binding.ts";
import { validateAdmissionPolicy } from "./validate-admission-policy.ts";

const recorded = JSON.parse(
  readFileSync(`${import.meta.dirname}/../../testdata/admission/bad-policies.json`, "utf8"),
) as {
  name: string;
  object: UnstructuredObject;
  errors: FieldError[];
}[];

describe("validateAdmissionPolicy and validateAdmissionBinding, as the API server", () => {
  for (const { name, object, errors } of recorded) {
    it(`${errors.length === 0 ? "accept" : "refuse"} ${name}`, () => {
      const validate = object.kind.endsWith("Binding") ? validateAdmissionBinding : validateAdmissionPolicy;
      expect(validate(object)).toEqual(errors);
    });
  }
});
