import { describe, expect, it } from "@jest/globals";
import { mockDeployerConfigurationSchema } from "../../libs/api/src/configuration/deployer-configuration.ts";
import { landscaperConfigurationSchema } from "../../libs/api/src/configuration/landscaper-configuration.ts";
import { configurationFields } from "./configuration-fields.ts";
import { fieldsOf, type ValueFields } from "./value-schema.ts";

function at(fields: ValueFields, path: string): unknown {
  const [name = "", ...rest] = path.split(".");
  const field = fields[name];
  if (field === undefined || rest.length === 0) return field;
  return at(fieldsOf(field) ?? {}, rest.join("."));
}

describe("configurationFields", () => {
  const fields = configurationFields(landscaperConfigurationSchema, ["metrics", "lsDeployments.deploymentsNamespace"]);

  it("has the fields of the configuration with descriptions and defaults", () => {
    expect(at(fields, "deployItemTimeouts.pickup")).toEqual({
      type: "string",
      default: "5m",
      description: "Longest time until a deployer takes an item. Go duration such as 1h30m, or none.",
    });
  });

  it.each([
    ["the header of the file", "apiVersion"],
    ["a field without effect", "deployItemTimeouts.abort"],
    ["a section without effect", "deployerManagement.agent"],
    ["what the chart sets", "metrics"],
    ["what the chart sets below a section", "lsDeployments.deploymentsNamespace"],
  ])("leaves out %s: %s", (_, path) => {
    expect(at(fields, path)).toBeUndefined();
  });

  it("leaves out sections that have no field then", () => {
    const withExport = {
      type: "object",
      properties: { export: { type: "object", properties: { a: { "x-without-effect": "b" } } } },
    };
    expect(configurationFields(withExport, [])).toEqual({});
  });

  it("closes objects, also those in lists, and keeps what has any field open", () => {
    expect(at(fields, "lsDeployments")).toMatchObject({ additionalProperties: false });
    const mock = configurationFields(mockDeployerConfigurationSchema, []);
    expect(at(mock, "targetSelector")).toMatchObject({ items: { additionalProperties: false } });
    expect(at(fields, "controllers.contexts.config.default.repositoryContext")).not.toMatchObject({
      additionalProperties: false,
    });
  });

  it("demands only what has no default", () => {
    expect(at(fields, "egress")).not.toHaveProperty("required");
    expect(at(fields, "egress.tokenRealms")).toMatchObject({ items: { required: ["registry", "realm"] } });
  });
});
