import { describe, expect, it } from "@jest/globals";
import { TemplateError } from "@landscaper/gotemplate";
import { ChartError } from "@landscaper/helm";
import { archiveFailure, chartFailure, notPacked, renderFailure } from "./chart-failure.ts";

const rendered = { chart: "app", mayChange: true, templates: () => [] };

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
    expect(renderFailure(error, rendered)).toMatchObject({
      reason: "ChartRenderingFailed",
      message,
      retry: "backoff",
    });
  });

  it("leaves other errors as they are", () => {
    const error = new Error("of the network");
    expect([chartFailure(error, "app"), renderFailure(error, rendered)]).toEqual([error, error]);
  });
});

it.each([
  ['parse error at (app/templates/a.yaml:3): function "qoute" not defined', ': did you mean "quote"?'],
  ['parse error at (app/templates/a.yaml:3): function "urlqeury" not defined', ': did you mean "urlquery"?'],
  ['parse error at (app/templates/a.yaml:3): function "frobnicate" not defined', ""],
  [
    'error calling include: template: no template "app.nmae" associated with template "gotpl"',
    ': did you mean "app.name"?',
  ],
  [
    'executing "app/templates/a.yaml" at <{{template "app.nmae" .}}>: template "app.nmae" not defined',
    ': did you mean "app.name"?',
  ],
  ['execution error at (app/templates/a.yaml:3:4): the template "app.nmae" is old', ""],
])("ends %j with %j", (text, suggestion) => {
  const message = `template: app/templates/a.yaml:3:4: ${text}`;
  const error = new TemplateError(message, { kind: "execution", position: { templateName: "a", line: 3 } });
  expect(renderFailure(error, { chart: "app", mayChange: false, templates: () => ["app.name"] })).toMatchObject({
    message: `chart app: ${message}${suggestion}`,
  });
});

describe("the failure of an archive", () => {
  const hint = 'pack the chart with "helm package"';

  it.each([
    ["", "an empty file"],
    ["web", "3 bytes of type text/plain"],
    ["<html></html>", "13 bytes of type text/html"],
  ])("says what %j is instead", (text, found) => {
    expect(notPacked(Buffer.from(text), "https://charts.example.org/web.tgz")).toMatchObject({
      reason: "InvalidChart",
      message: `chart https://charts.example.org/web.tgz: expected a chart archive (tar, compressed with gzip), found ${found}`,
      hint,
      retry: "never",
    });
  });

  it("says how to pack a chart that lacks a part", () => {
    const missing = new ChartError("found in Chart.yaml, but missing in charts/ directory: store");
    expect(chartFailure(missing, "app")).toMatchObject({
      hint: 'run "helm dependency update", and pack the chart again',
    });
  });

  it("explains Helm's messages about its bytes, and keeps all others", () => {
    expect(archiveFailure(new ChartError("unexpected EOF"), "chart.archive.raw")).toMatchObject({
      message: "chart chart.archive.raw: the chart archive ends too early",
      hint,
    });
    const error = new ChartError("error unpacking subchart a.tgz in web: unexpected EOF");
    expect(archiveFailure(error, "chart.archive.raw")).toMatchObject({
      message: "chart chart.archive.raw: error unpacking subchart a.tgz in web: unexpected EOF",
    });
  });
});
