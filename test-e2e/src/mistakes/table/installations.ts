import { annotations, resources } from "@landscaper/api";
import { dataParameter, goTemplate, inlineInstallation } from "../../installations/inline-installation.ts";
import type { Mistake } from "../mistake.ts";
import { fail, map, succeed, waitForCore, withItem } from "./build.ts";

const area = "installations";
const noItems = goTemplate("deployItems: []\n");

export const installationMistakes: readonly Mistake[] = [
  {
    area,
    title: "the value of the operation annotation is misspelt",
    make: async (scope) => {
      const installation = withItem({ manifests: [map(scope)] });
      const metadata = { name: "root", annotations: { [annotations.operation]: "reconcil" } };
      await scope.apply(scope.target("target"), { ...installation, metadata });
      await waitForCore(scope);
    },
    place: /landscaper\.gardener\.cloud\/operation/,
    cause: /"?reconcil\b"?/,
    remedy: /did you mean "?reconcile|reconcile, /,
  },
  {
    area,
    title: "the key of an annotation of Landscaper is misspelt",
    make: async (scope) => {
      const installation = withItem({ manifests: [map(scope)] });
      const metadata = { name: "root", annotations: { "landscaper.gardener.cloud/operaton": "reconcile" } };
      await scope.apply(scope.target("target"), { ...installation, metadata });
      await waitForCore(scope);
    },
    place: /landscaper\.gardener\.cloud\/operaton/,
    cause: /unknown|not known|no effect/,
    remedy: /did you mean "?landscaper\.gardener\.cloud\/operation/,
  },
  {
    area,
    title: "a changed spec without an operation",
    make: async (scope) => {
      await succeed(scope, withItem({ manifests: [map(scope)] }));
      const { metadata, ...changed } = withItem({ manifests: [map(scope, { data: { a: "b" } })] });
      await scope.apply({ ...changed, metadata: { name: metadata.name ?? "" } });
      await waitForCore(scope);
    },
    place: /Installation|root/,
    cause: /changed.*(no job|not.*picked|since)|generation/s,
    remedy: /landscaper reconcile|operation=reconcile/,
  },
  {
    area,
    title: "an export that the blueprint does not declare",
    make: async (scope) =>
      fail(
        scope,
        inlineInstallation({
          name: "root",
          blueprint: { exports: [dataParameter("address", { type: "string" })], deployExecutions: noItems },
          exports: { data: [{ name: "adress", dataRef: "address" }] },
        }),
      ),
    place: /export "?adress/,
    cause: /not declare|unknown|does not have/,
    remedy: /did you mean "?address/,
  },
  {
    area,
    title: "two Installations import from each other",
    make: async (scope) => {
      const one = (name: string, other: string) =>
        inlineInstallation({
          name,
          blueprint: {
            imports: [dataParameter("in", { type: "string" })],
            exports: [dataParameter("out", { type: "string" })],
            exportExecutions: [{ name: "e", type: "GoTemplate", template: "exports: { out: a }" }],
            deployExecutions: noItems,
          },
          imports: { data: [{ name: "in", dataRef: `from-${other}` }] },
          exports: { data: [{ name: "out", dataRef: `from-${name}` }] },
        });
      await scope.apply(one("root", "other"), one("other", "root"));
      // The core corrects the error when it sees the second Installation.
      await scope.until(
        resources.installation,
        "root",
        (found) => found?.status?.lastError?.reason === "CyclicDependencies",
      );
    },
    place: /root/,
    cause: /(cycle|ring).*(root.*other|other.*root)/s,
    remedy: /[Rr]emove|[Bb]reak/,
    misleading: /[Cc]reate (it|the DataObject)/,
  },
  {
    area,
    title: "two Installations export to one DataObject",
    make: async (scope) => {
      const one = (name: string) =>
        inlineInstallation({
          name,
          blueprint: {
            exports: [dataParameter("out", { type: "string" })],
            exportExecutions: [{ name: "e", type: "GoTemplate", template: "exports: { out: a }" }],
            deployExecutions: noItems,
          },
          exports: { data: [{ name: "out", dataRef: "address" }] },
        });
      await scope.apply(one("other"));
      await scope.waitForPhase("other", "Succeeded");
      await fail(scope, one("root"));
    },
    place: /export "?out|address/,
    cause: /other/,
    remedy: /[Rr]ename|another (name|DataObject)|[Cc]hange/,
  },
  {
    area,
    title: "a component without a repository context",
    make: async (scope) =>
      fail(scope, {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "Installation",
        metadata: { name: "root", annotations: { [annotations.operation]: "reconcile" } },
        spec: {
          componentDescriptor: { ref: { componentName: "example.org/shop", version: "1.0.0" } },
          blueprint: { ref: { resourceName: "blueprint" } },
        },
      }),
    place: /example\.org\/shop/,
    cause: /repository/i,
    remedy: /repositoryContext/,
  },
  {
    area,
    title: "the Context does not exist",
    make: async (scope) => {
      const installation = withItem({ manifests: [map(scope)] });
      await fail(scope, { ...installation, spec: { ...(installation["spec"] as object), context: "defualt" } });
    },
    place: /spec\.context|Context \S*defualt/,
    cause: /defualt\S* (does not exist|is missing|was not found)/,
    remedy: /[Cc]reate|[Cc]orrect|did you mean/,
  },
];
