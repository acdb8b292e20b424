import { dataObject, dataParameter, goTemplate, inlineInstallation } from "../../installations/inline-installation.ts";
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
];
