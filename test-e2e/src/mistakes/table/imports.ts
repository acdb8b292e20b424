import {
  clusterImport,
  dataObject,
  dataParameter,
  goTemplate,
  inlineInstallation,
} from "../../installations/inline-installation.ts";
import type { Mistake } from "../mistake.ts";
import { fail } from "./build.ts";

const area = "imports";
const noItems = goTemplate("deployItems: []\n");
const integer = { type: "integer", minimum: 1 };
/** The import, or its field in the blueprint or Installation. */
const importReplicas = /imports?[. ]"?replicas\b/;

const withImport = (dataRef: string, changes: Readonly<Record<string, unknown>> = {}) =>
  inlineInstallation({
    name: "root",
    blueprint: { imports: [dataParameter("replicas", integer)], deployExecutions: noItems },
    imports: { data: [{ name: "replicas", dataRef, ...changes }] },
  });

const importSettings = /imports?[. ]"?settings\b/;

/** An Installation whose import has another source. */
const withSource = (source: Readonly<Record<string, unknown>>) =>
  inlineInstallation({
    name: "root",
    blueprint: { imports: [dataParameter("replicas", integer)], deployExecutions: noItems },
    imports: { data: [{ name: "replicas", ...source }] },
  });

/** A DataObject, and an Installation that imports it by this schema of an object. */
const settings = (value: unknown, schema: Readonly<Record<string, unknown>>) => [
  dataObject("settings", value),
  inlineInstallation({
    name: "root",
    blueprint: { imports: [dataParameter("settings", { type: "object", ...schema })], deployExecutions: noItems },
    imports: { data: [{ name: "settings", dataRef: "settings" }] },
  }),
];

/** An Installation that maps its import "settings". */
const mapped = (importDataMappings: Readonly<Record<string, string>>) => [
  dataObject("settings", { replicas: 2 }),
  inlineInstallation({
    name: "root",
    blueprint: { imports: [dataParameter("replicas", integer)], deployExecutions: noItems },
    imports: { data: [{ name: "settings", dataRef: "settings" }] },
    spec: { importDataMappings },
  }),
];

export const importMistakes: readonly Mistake[] = [
  {
    area,
    title: "the DataObject of an import does not exist",
    make: async (scope) => fail(scope, dataObject("replicas", 1), withImport("replcas")),
    place: importReplicas,
    cause: /data ?object \S*replcas\S* (is missing|does not exist|was not found)/i,
    remedy: /did you mean|[Cc]reate (it|the DataObject|what is missing)/,
  },
  {
    area,
    title: "the name of an import is misspelt",
    make: async (scope) => {
      const installation = inlineInstallation({
        name: "root",
        blueprint: { imports: [dataParameter("replicas", integer)], deployExecutions: noItems },
        imports: { data: [{ name: "replica", dataRef: "replicas" }] },
      });
      await fail(scope, dataObject("replicas", 1), installation);
    },
    place: /imports?[. ]"?replicas?\b/,
    cause: /"replica"/,
    remedy: /did you mean "?replicas/,
  },
  {
    area,
    title: "the value of an import does not fit its schema",
    make: async (scope) => fail(scope, dataObject("replicas", "three"), withImport("replicas")),
    place: importReplicas,
    cause: /expected (an )?integer.*string/s,
    remedy: /DataObject \S*replicas|[Cc]orrect/,
  },
  {
    area,
    title: "the value of an import is below its minimum",
    make: async (scope) => fail(scope, dataObject("replicas", 0), withImport("replicas")),
    place: importReplicas,
    cause: />= 1|at least 1/,
    remedy: /DataObject \S*replicas|[Cc]orrect/,
  },
  {
    area,
    title: "a required import is not set",
    make: async (scope) =>
      fail(
        scope,
        inlineInstallation({
          name: "root",
          blueprint: { imports: [dataParameter("replicas", integer)], deployExecutions: noItems },
        }),
      ),
    place: importReplicas,
    cause: /missing|requires|required|not set/,
    remedy: /[Aa]dd|spec\.imports/,
  },
  {
    area,
    title: "the key of a Secret for an import does not exist",
    make: async (scope) =>
      fail(
        scope,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "settings" }, stringData: { other: "1" } },
        inlineInstallation({
          name: "root",
          blueprint: { imports: [dataParameter("replicas", integer)], deployExecutions: noItems },
          imports: { data: [{ name: "replicas", secretRef: { name: "settings", key: "replicas" } }] },
        }),
      ),
    place: importReplicas,
    cause: /secret \S*settings.*key "?replicas/is,
    remedy: /[Aa]dd|[Cc]orrect/,
  },
  {
    area,
    title: "invalid YAML in the key of a ConfigMap",
    make: async (scope) => {
      await fail(
        scope,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { replicas: "a: b: c" } },
        inlineInstallation({
          name: "root",
          blueprint: { imports: [dataParameter("replicas", integer)], deployExecutions: noItems },
          imports: { data: [{ name: "replicas", configMapRef: { name: "settings", key: "replicas" } }] },
        }),
      );
    },
    place: /ConfigMap \S*settings.*replicas.*line 1/s,
    cause: /YAML|mapping/,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "a mapping reads a field that its imports lack",
    make: async (scope) =>
      fail(
        scope,
        dataObject("settings", { replicas: 2 }),
        inlineInstallation({
          name: "root",
          blueprint: { imports: [dataParameter("replicas", integer)], deployExecutions: noItems },
          imports: { data: [{ name: "settings", dataRef: "settings" }] },
          spec: { importDataMappings: { replicas: "(( settings.replcas ))" } },
        }),
      ),
    place: /importDataMappings\.?"?replicas|import data mapping/,
    cause: /settings\.replcas/,
    remedy: /did you mean "?(settings\.)?replicas|[Cc]orrect/,
  },
  {
    area,
    title: "the ConfigMap of an import does not exist",
    make: async (scope) => fail(scope, withSource({ configMapRef: { name: "settngs", key: "replicas" } })),
    place: importReplicas,
    cause: /config ?map \S*settngs\S*( \([^)]*\))? (is missing|does not exist|was not found)/i,
    remedy: /[Cc]reate|[Cc]orrect/,
  },
  {
    area,
    title: "the Secret of an import does not exist",
    make: async (scope) => fail(scope, withSource({ secretRef: { name: "settngs", key: "replicas" } })),
    place: importReplicas,
    cause: /secret \S*settngs\S*( \([^)]*\))? (is missing|does not exist|was not found)/i,
    remedy: /[Cc]reate|[Cc]orrect/,
  },
  {
    area,
    title: "the key of a ConfigMap for an import is misspelt",
    make: async (scope) =>
      fail(
        scope,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { replicas: "1" } },
        withSource({ configMapRef: { name: "settings", key: "replcas" } }),
      ),
    place: importReplicas,
    cause: /config ?map \S*settings.*key "?replcas/is,
    remedy: /did you mean "?replicas|has (only )?(the key )?"?replicas/,
  },
  {
    area,
    title: "a number that is written as text in a ConfigMap",
    make: async (scope) =>
      fail(
        scope,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { replicas: '"3"' } },
        withSource({ configMapRef: { name: "settings", key: "replicas" } }),
      ),
    place: /imports?[. ]"?replicas\b.*ConfigMap \S*settings|ConfigMap \S*settings.*imports?[. ]"?replicas\b/s,
    cause: /expected (an )?integer.*string/s,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "a property of an import is missing",
    make: async (scope) => fail(scope, ...settings({ prot: 80 }, { required: ["port"] })),
    place: importSettings,
    cause: /"?port"?.*(missing|required)|(missing|required).*"?port|settings\.port: expected a value, found nothing/s,
    remedy: /DataObject \S*settings|[Cc]orrect/,
  },
  {
    area,
    title: "a property of an import is unknown",
    make: async (scope) =>
      fail(scope, ...settings({ prot: 80 }, { properties: { port: {} }, additionalProperties: false })),
    place: importSettings,
    cause: /"?prot"?/,
    remedy: /did you mean "?port/,
  },
  {
    area,
    title: "a value of an import is not among those that are allowed",
    make: async (scope) =>
      fail(scope, ...settings({ size: "lareg" }, { properties: { size: { enum: ["small", "large"] } } })),
    place: /imports?[. ]"?settings\b.*size/s,
    cause: /"small", "large"|small.*large/s,
    remedy: /did you mean "?large|DataObject \S*settings|[Cc]orrect/,
  },
  {
    area,
    title: "a value of an import does not match its pattern",
    make: async (scope) =>
      fail(scope, ...settings({ host: "Shop" }, { properties: { host: { type: "string", pattern: "^[a-z]+$" } } })),
    place: /imports?[. ]"?settings\b.*host/s,
    cause: /\^\[a-z\]\+\$/,
    remedy: /DataObject \S*settings|[Cc]orrect/,
  },
  {
    area,
    title: "a DataObject where the blueprint wants a Target",
    make: async (scope) =>
      fail(
        scope,
        dataObject("cluster", "a"),
        inlineInstallation({
          name: "root",
          blueprint: { imports: [clusterImport], deployExecutions: noItems },
          imports: { data: [{ name: "cluster", dataRef: "cluster" }] },
        }),
      ),
    place: /imports?\S*[. ]"?cluster\b/,
    cause: /expected a target/i,
    remedy: /spec\.imports\.targets|imports\.targets|under targets/,
  },
  {
    area,
    title: "a Target where the blueprint wants data",
    make: async (scope) =>
      fail(
        scope,
        inlineInstallation({
          name: "root",
          blueprint: { imports: [dataParameter("replicas", integer)], deployExecutions: noItems },
          imports: { targets: [{ name: "replicas", target: "target" }] },
        }),
      ),
    place: importReplicas,
    cause: /type "?data|data import|wants data|expected data/i,
    remedy: /spec\.imports\.data|imports\.data|under data/,
  },
  {
    area,
    title: "a mapping with a syntax error",
    make: async (scope) => fail(scope, ...mapped({ replicas: "(( settings. ))" })),
    place: /importDataMappings\.?"?replicas|import data mapping/,
    cause: /syntax|parse|expected|unexpected/,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "a mapping calls an unknown function",
    make: async (scope) => fail(scope, ...mapped({ replicas: "(( lenght( settings ) ))" })),
    place: /importDataMappings\.?"?replicas|import data mapping/,
    cause: /lenght/,
    remedy: /did you mean "?length/,
  },
  {
    area,
    title: "a mapping sets an import that the blueprint does not have",
    make: async (scope) => fail(scope, ...mapped({ replcas: "(( settings.replicas ))" })),
    place: /importDataMappings\.?"?(replcas|replicas)|import data mapping|imports?[. ]"?replicas/,
    cause: /replcas/,
    remedy: /did you mean "?replicas/,
  },
];
