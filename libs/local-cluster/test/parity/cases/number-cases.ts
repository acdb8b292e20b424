import { fieldAt } from "../../../src/objects/json.ts";
import type { Exchange, ParityCase } from "../exchange.ts";
import { apply, get, patch, post, put, remove } from "../exchange.ts";
import { crds, isEstablished, isGone } from "./crd-exchanges.ts";
import { inNamespace } from "./namespaced-case.ts";

const group = "numbers.example.com";
const name = `numbers.${group}`;

/** Numbers in the notations that JSON has, and at the bounds of int64, uint64 and float64. */
export const numberLiterals = [
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "-9007199254740993",
  "9223372036854775807",
  "-9223372036854775808",
  "9223372036854775808",
  "-9223372036854775809",
  "18446744073709551615",
  "18446744073709551616",
  "123456789012345678901234567890",
  "-0",
  "0.0",
  "-0.0",
  "-0e5",
  "1.0",
  "1e3",
  "1E+2",
  "1.50",
  "0.1",
  "1e16",
  "1e18",
  "1e19",
  "1e20",
  "1e21",
  "1e22",
  "123456789012345680000e-1",
  "9007199254740993.0",
  "9223372036854775807.0",
  "1e-6",
  "1e-7",
  "0.000001234567890123456789",
  "2.2250738585072014e-308",
  "5e-324",
  "1.7976931348623157e308",
];

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: {
        integer: { type: "integer" },
        long: { type: "integer", format: "int64", minimum: 5, maximum: 9_007_199_254_740_992n },
        number: { type: "number" },
        double: { type: "number", format: "double" },
        limit: { type: "integer", default: 9_223_372_036_854_775_807n },
        one: { type: "integer", enum: [1, 9_007_199_254_740_993n] },
        checked: {
          type: "integer",
          "x-kubernetes-validations": [{ rule: "self == 0 || self > 9007199254740992" }],
        },
      },
    },
  },
};

const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind: "Number", plural: "numbers" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        additionalPrinterColumns: [
          { name: "Integer", type: "integer", jsonPath: ".spec.integer" },
          { name: "Number", type: "number", jsonPath: ".spec.number" },
          { name: "Text", type: "string", jsonPath: ".spec.integer" },
        ],
      },
    ],
  },
};

/** A body with the digits as they are here. */
const raw = (text: string): Buffer => Buffer.from(text);

const object = (objectName: string, spec: string): Buffer =>
  raw(`{"apiVersion":"${group}/v1","kind":"Number","metadata":{"name":"${objectName}"},"spec":${spec}}`);

const all = `{"open":[${numberLiterals.join(",")}]}`;

function typedExchanges(at: (rest?: string) => string): Exchange[] {
  const integers = ["9223372036854775807", "9223372036854775808", "9007199254740992", "9007199254740993", "4"];
  const numbers = [...integers, "1e16", "1e3", "1.0", "1.5"];
  return ["integer", "long", "number", "double", "one", "checked"].flatMap((field) =>
    (["one", "checked"].includes(field) ? integers : numbers).map((value, index) =>
      post(at(), object(`${field}-${index}`, `{"${field}":${value}}`)),
    ),
  );
}

function defined(exchanges: (at: (rest?: string) => string) => readonly Exchange[]) {
  return (path: (resource: string, rest?: string) => string): readonly Exchange[] => {
    const at = (rest = ""): string => path(`numbers.${group}/v1`, rest);
    return [
      apply(`${crds}/${name}`, "definer", crd),
      get(`${crds}/${name}`, isEstablished),
      get(`/apis/${group}/v1`, (body) => fieldAt(body, "kind") === "APIResourceList"),
      get(at(), (body) => fieldAt(body, "kind") === "NumberList"),
      ...exchanges(at),
      remove(`${crds}/${name}`),
      get(`${crds}/${name}`, isGone),
    ];
  };
}

const jsonPatch = "application/json-patch+json";

/** What the server stores of numbers in each kind of body. */
export const numberCases: readonly ParityCase[] = [
  inNamespace(
    "numbers of custom resources",
    defined((at) => [
      post(at(), object("post", all)),
      get(at("/post")),
      { ...post(at(), raw(object("yaml", all).toString())), contentType: "application/yaml" },
      apply(at("/applied"), "one", object("applied", all)),
      apply(at("/applied"), "one", object("applied", all)),
      apply(at("/applied"), "two", object("applied", '{"open":[9007199254740994]}')),
      put(
        at("/post"),
        object(
          "post",
          `{"integer":9007199254740993,"number":9223372036854775807,"open":[${numberLiterals.join(",")}]}`,
        ),
      ),
      { ...get(at("/post")), accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
      patch(at("/post"), raw(`{"spec":{"integer":9007199254740995,"merged":[${numberLiterals.join(",")}]}}`)),
      patch(at("/post"), raw('{"spec":{"integer":9007199254740995}}')),
      patch(at("/post"), raw('[{"op":"test","path":"/spec/integer","value":9007199254740995}]'), jsonPatch),
      patch(at("/post"), raw('[{"op":"test","path":"/spec/integer","value":9007199254740996}]'), jsonPatch),
      patch(at("/post"), raw('[{"op":"add","path":"/spec/integer","value":-9223372036854775808}]'), jsonPatch),
      patch(at("/post"), raw('[{"op":"copy","from":"/spec/integer","path":"/spec/copy"}]'), jsonPatch),
    ]),
  ),
  inNamespace("numbers of schemas", defined(typedExchanges)),
  inNamespace("numbers of built-in kinds", (path) => {
    const job = (field: string): Buffer =>
      raw(
        `{"metadata":{"name":"j"},"spec":{"suspend":true,${field},"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}`,
      );
    return [
      post(path("jobs.batch/v1"), job('"activeDeadlineSeconds":9007199254740993')),
      get(path("jobs.batch/v1", "/j")),
      post(path("jobs.batch/v1"), job('"activeDeadlineSeconds":100000000000000000000')),
      post(path("jobs.batch/v1"), job('"parallelism":3000000000')),
      post(path("jobs.batch/v1"), job('"parallelism":-3000000000')),
      post(
        path("deployments.apps/v1"),
        raw('{"metadata":{"name":"d"},"spec":{"replicas":3000000000,"selector":{},"template":{}}}'),
      ),
      post(path("jobs.batch/v1"), job('"activeDeadlineSeconds":-9007199254740993')),
      patch(
        path("jobs.batch/v1", "/j"),
        raw('{"spec":{"activeDeadlineSeconds":9007199254740995}}'),
        "application/strategic-merge-patch+json",
      ),
    ];
  }),
];
