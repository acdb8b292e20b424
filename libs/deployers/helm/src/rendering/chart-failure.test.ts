import { describe, expect, it } from "@jest/globals";
import { ChartError } from "@landscaper/helm";
import { chartFailure, renderFailure } from "./chart-failure.ts";

describe("the failure of a chart", () => {
  it.each([
    ["names the chart", new ChartError("cannot load", {}), "chart app: cannot load"],
    [
      "says where, when the message does not",
      new ChartError("bad YAML", { file: "values.yaml", line: 3, column: 7 }),
      "chart app: bad YAML (values.yaml:3:7)",
    ],
    [
      "has the line, when the message has the file alone",
      new ChartError("cannot load values.yaml", { file: "values.yaml", line: 3 }),
      "chart app: cannot load values.yaml (values.yaml:3)",
    ],
    [
      "says it once",
      new ChartError("parse error at (app/templates/a.yaml:3): no", { file: "app/templates/a.yaml", line: 3 }),
      "chart app: parse error at (app/templates/a.yaml:3): no",
    ],
  ])("%s", (_, error, message) => {
    expect(chartFailure(error, "app")).toMatchObject({ reason: "InvalidChart", message, retry: "never" });
    expect(renderFailure(error, { chart: "app", mayChange: true })).toMatchObject({
      reason: "ChartRenderingFailed",
      message,
      retry: "backoff",
    });
  });

  it("leaves other errors as they are", () => {
    const error = new Error("of the network");
    expect([chartFailure(error, "app"), renderFailure(error, { chart: "app", mayChange: false })]).toEqual([
      error,
      error,
    ]);
  });
});
