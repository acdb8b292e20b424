import { describe, expect, it } from "@jest/globals";
import { describeTextProblems, findTextProblems } from "./find-text-problems.ts";

const pathsOf = (apiVersion: string, kind: string, fields: object): readonly string[] =>
  findTextProblems({ apiVersion, kind, ...fields }).map(({ path, found }) => `${path}: ${found}`);

describe("values that must be strings", () => {
  const pod = {
    nodeSelector: { gpu: true },
    initContainers: [{ args: ["-p", 1] }],
    containers: [{}, { command: [false], env: [{ name: "A", value: "1" }, { name: "B", value: 2 }, { name: "C" }] }],
  };
  const podProblems = (path: string): string[] => [
    `${path}.nodeSelector.gpu: a boolean`,
    `${path}.containers[1].env[1].value: a number`,
    `${path}.containers[1].command[0]: a boolean`,
    `${path}.initContainers[0].args[1]: a number`,
  ];

  it.each([
    [
      "v1",
      "ConfigMap",
      { data: { port: 8080, debug: true, a: "b", none: null, map: { a: 1 } } },
      ["data.port: a number", "data.debug: a boolean", "data.map: an object"],
    ],
    ["v1", "Secret", { data: { a: 1 }, stringData: { b: [] } }, ["data.a: a number", "stringData.b: a list"]],
    ["v1", "Namespace", { metadata: { labels: { a: 1 } } }, []],
    ["v1", "Service", { metadata: { annotations: { a: 1 } } }, ["metadata.annotations.a: a number"]],
    ["v1", "Pod", { spec: pod }, podProblems("spec")],
    [
      "apps/v1",
      "Deployment",
      { spec: { selector: { matchLabels: { a: 1 } }, template: { metadata: { labels: { a: 1 } }, spec: pod } } },
      [
        "spec.template.metadata.labels.a: a number",
        ...podProblems("spec.template.spec"),
        "spec.selector.matchLabels.a: a number",
      ],
    ],
    [
      "batch/v1",
      "CronJob",
      { spec: { jobTemplate: { spec: { template: { spec: pod } } } } },
      podProblems("spec.jobTemplate.spec.template.spec"),
    ],
    ["shop.example.org/v1", "ConfigMap", { data: { port: 8080 } }, []],
    ["v1", "ConfigMap", { data: [8080] }, []],
    ["v1", "constructor", {}, []],
  ])("are found in a %s %s: %j", (...[apiVersion, kind, fields, problems]) => {
    expect(pathsOf(apiVersion, kind, fields)).toEqual(problems);
  });

  it("are named with a remedy, at most five of them", () => {
    const data = Object.fromEntries([1, 2, 3, 4, 5, 6].map((value) => [`k${value}`, value]));
    const numbers = findTextProblems({ apiVersion: "v1", kind: "ConfigMap", data });
    expect(describeTextProblems(numbers.slice(0, 1))).toEqual({
      text: "data.k1: expected a string, found a number",
      hint: "quote the value",
    });
    expect(describeTextProblems(numbers)).toEqual({
      text: `${[1, 2, 3, 4, 5].map((value) => `data.k${value}: expected a string, found a number`).join("; ")}; and 1 more`,
      hint: "quote the values",
    });
    const maps = findTextProblems({ apiVersion: "v1", kind: "ConfigMap", data: { file: { a: 1 } } });
    expect(describeTextProblems(maps)).toEqual({
      text: "data.file: expected a string, found an object",
      hint: 'write the value as text, for example behind "|"',
    });
  });
});
