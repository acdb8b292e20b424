import { annotations, resources } from "@landscaper/api";
import {
  clusterImport,
  dataObject,
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
  manifestItem,
} from "../../installations/inline-installation.ts";
import { subInstallationTemplate } from "../../installations/sub-installations.ts";
import type { Mistake } from "../mistake.ts";
import { fail, map, succeed, waitForCore, withItem } from "./build.ts";

const area = "installations";
const noItems = goTemplate("deployItems: []\n");

/** An Installation that imports what the other one exports. */
const ringMember = (name: string, other: string) =>
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
      await scope.apply(ringMember("root", "other"), ringMember("other", "root"));
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
  {
    area,
    title: "the operation is in capital letters",
    make: async (scope) => {
      const installation = withItem({ manifests: [map(scope)] });
      const metadata = { name: "root", annotations: { [annotations.operation]: "Reconcile" } };
      await scope.apply(scope.target("target"), { ...installation, metadata });
      await waitForCore(scope);
    },
    place: /landscaper\.gardener\.cloud\/operation/,
    cause: /"?Reconcile\b"?/,
    remedy: /did you mean "?reconcile|reconcile, /,
  },
  {
    area,
    title: "the key of the annotation for changed specs is misspelt",
    make: async (scope) => {
      const installation = withItem({ manifests: [map(scope)] });
      const metadata = { name: "root", annotations: { "landscaper.gardener.cloud/reconcile-if-change": "true" } };
      await scope.apply(scope.target("target"), { ...installation, metadata });
      await waitForCore(scope);
    },
    place: /landscaper\.gardener\.cloud\/reconcile-if-change\b/,
    cause: /unknown|not known|no effect/,
    remedy: /did you mean "?landscaper\.gardener\.cloud\/reconcile-if-changed/,
  },
  {
    area,
    title: "an Installation without any operation",
    make: async (scope) => {
      const installation = withItem({ manifests: [map(scope)] });
      await scope.apply(scope.target("target"), { ...installation, metadata: { name: "root" } });
      await waitForCore(scope);
    },
    place: /Installation|root/,
    cause: /no job|never|not.*(triggered|started|requested)/,
    remedy: /landscaper reconcile|operation=reconcile/,
  },
  {
    area,
    title: "an Installation imports its own export",
    make: async (scope) => fail(scope, ringMember("root", "root")),
    place: /root/,
    cause: /cycle|ring|its own export|itself/,
    remedy: /[Rr]emove|[Bb]reak|[Rr]ename/,
    misleading: /[Cc]reate (it|the DataObject)/,
  },
  {
    area,
    title: "three Installations import from each other",
    make: async (scope) => {
      await scope.apply(ringMember("root", "third"), ringMember("second", "root"), ringMember("third", "second"));
      await scope.until(
        resources.installation,
        "root",
        (found) => found?.status?.lastError?.reason === "CyclicDependencies",
      );
    },
    place: /root/,
    cause: /(cycle|ring).*root.*second.*third|(cycle|ring).*root.*third.*second/s,
    remedy: /[Rr]emove|[Bb]reak/,
    misleading: /[Cc]reate (it|the DataObject)/,
  },
  {
    area,
    title: "an export whose name differs in its case",
    make: async (scope) =>
      fail(
        scope,
        inlineInstallation({
          name: "root",
          blueprint: { exports: [dataParameter("address", { type: "string" })], deployExecutions: noItems },
          exports: { data: [{ name: "Address", dataRef: "address" }] },
        }),
      ),
    place: /export "?Address/,
    cause: /not declare|unknown|does not have/,
    remedy: /did you mean "?address/,
  },
  {
    area,
    title: "two subinstallations with one name",
    make: async (scope) => {
      const template = subInstallationTemplate({ name: "web", blueprint: { deployExecutions: noItems } });
      await fail(scope, inlineInstallation({ name: "root", blueprint: { subinstallations: [template, template] } }));
    },
    place: /subinstallations?\b.*"?web/s,
    cause: /twice|more than once|duplicate|unique/i,
    remedy: /[Rr]ename|must be unique|[Uu]se another/,
  },
  {
    area,
    title: "a subinstallation imports what its parent does not have",
    make: async (scope) => {
      const template = subInstallationTemplate({
        name: "web",
        blueprint: { imports: [dataParameter("host", { type: "string" })], deployExecutions: noItems },
        imports: { data: [{ name: "host", dataRef: "hots" }] },
      });
      const blueprint = { imports: [dataParameter("host", { type: "string" })], subinstallations: [template] };
      const imports = { data: [{ name: "host", dataRef: "host" }] };
      await fail(scope, dataObject("host", "a"), inlineInstallation({ name: "root", blueprint, imports }));
    },
    place: /web\b.*imports?[. ]"?host|import "?host"?.*web/s,
    cause: /hots/,
    remedy: /did you mean "?host\b/,
  },
  {
    area,
    title: "an item of a subinstallation fails",
    make: async (scope) => {
      const template = subInstallationTemplate({
        name: "web",
        blueprint: {
          imports: [clusterImport],
          deployExecutions: deployItems(manifestItem({ manifests: [{ policy: "manage" }] })),
        },
        imports: { targets: [{ name: "cluster", target: "cluster" }] },
      });
      const imports = { targets: [{ name: "cluster", target: "target" }] };
      const blueprint = { imports: [clusterImport], subinstallations: [template] };
      await fail(scope, inlineInstallation({ name: "root", blueprint, imports }));
    },
    place: /web\b.*manifests\[0\]/s,
    cause: /kind|apiVersion/,
    remedy: /[Aa]dd|[Cc]orrect|expected/,
  },
  {
    area,
    title: "the file of a subinstallation does not exist",
    make: async (scope) =>
      fail(
        scope,
        inlineInstallation({
          name: "root",
          blueprint: { subinstallations: [{ file: "sub/wbe.yaml" }] },
          files: { sub: { "web.yaml": "name: web\n" } },
        }),
      ),
    place: /subinstallations\[0\]/,
    cause: /sub\/wbe\.yaml/,
    remedy: /did you mean "?sub\/web\.yaml/,
  },
  {
    area,
    title: "a path instead of a folder in an inline blueprint",
    make: async (scope) =>
      fail(
        scope,
        inlineInstallation({ name: "root", blueprint: { deployExecutions: noItems }, files: { "sub/web.yaml": "a" } }),
      ),
    place: /blueprint.*sub\/web\.yaml/s,
    cause: /not a valid name of a file/,
    remedy: /folder as a map/,
  },
  {
    area,
    title: "an Installation waits for a failed one",
    make: async (scope) => {
      const { spec, ...other } = ringMember("other", "nobody");
      const { imports: _left, ...rest } = spec as Readonly<Record<string, unknown>>;
      await scope.apply({ ...other, spec: rest });
      await scope.waitForPhase("other", "Failed");
      await fail(scope, ringMember("root", "other"));
    },
    place: /imports?[. ]"?in\b/,
    cause: /other.*(failed|Failed|not succeeded)/s,
    remedy: /[Cc]orrect.*other|landscaper (why|reconcile)|trigger/s,
  },
  {
    area,
    title: "the interval of automatic jobs is not a duration",
    make: async (scope) => {
      const automaticReconcile = { succeededReconcile: { interval: "5 minutes" } };
      const installation = withItem({ manifests: [map(scope)] });
      await scope.apply(scope.target("target"), {
        ...installation,
        spec: { ...(installation["spec"] as object), automaticReconcile },
      });
      await waitForCore(scope);
    },
    place: /automaticReconcile\.succeededReconcile\.interval/,
    cause: /5 minutes|not a duration/,
    remedy: /5m|such as/,
  },
];
