import { Type, type Static } from "typebox";
import { defaultContextName } from "../objects/api-group.ts";
import { column, readyColumns, defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import * as f from "../schema/schema-fields.ts";
import { blueprintReferenceSchema, componentDescriptorReferenceSchema } from "./blueprint-reference.ts";
import { installationExportsSchema, installationImportsSchema } from "./data-flow.ts";

const { optional } = f;

const reconcileScheduleFields = {
  interval: optional(f.duration("Time between jobs.")),
  cronSpec: optional(f.text("Five cron fields, or a descriptor such as @hourly; wins over interval.")),
};

export const automaticReconcileSchema = f.object(
  {
    succeededReconcile: optional(f.object(reconcileScheduleFields, "Repeat after success; every 24h by default.")),
    failedReconcile: optional(
      f.object(
        {
          numberOfReconciles: optional(f.int32("At most so many retries; 0 means none.")),
          ...reconcileScheduleFields,
        },
        "Retry after failure; every 5m by default.",
      ),
    ),
  },
  "Jobs that start by themselves; root Installations only.",
);
export type AutomaticReconcile = Static<typeof automaticReconcileSchema>;

export const optimizationSchema = f.object(
  {
    hasNoSiblingImports: optional(f.flag("Imports nothing that a sibling exports.")),
    hasNoSiblingExports: optional(f.flag("Exports nothing that a sibling imports.")),
  },
  "Hints that save listing the siblings.",
);

export const installationSpecSchema = f.object(
  {
    context: optional(f.withDefault(f.text("Context of the same namespace."), defaultContextName)),
    verification: optional(
      f.object(
        {
          signatureName: f.text("Name of the signature, and of its entry in verificationSignatures of the Context."),
        },
        "Signature that the component must bear; without it nothing is installed, unless the operator disables that.",
      ),
    ),
    componentDescriptor: optional(componentDescriptorReferenceSchema),
    blueprint: blueprintReferenceSchema,
    imports: optional(installationImportsSchema),
    importDataMappings: optional(f.mapOf(f.anyJson("Spiff template."), "Import values of the blueprint by name.")),
    exports: optional(installationExportsSchema),
    exportDataMappings: optional(f.mapOf(f.anyJson("Spiff template."), "Export values by name.")),
    automaticReconcile: optional(automaticReconcileSchema),
    optimization: optional(optimizationSchema),
  },
  "What to install, and from where its imports come and where its exports go.",
);
export type InstallationSpec = Static<typeof installationSpecSchema>;

/** Subinstallations of the last job, so that they need not be listed (core.md §1.1 no. 18). */
const subInstCacheSchema = f.object(
  {
    activeSubs: optional(
      f.list(f.object(f.cachedNameFields, "A subinstallation."), "Subinstallations that the blueprint has."),
    ),
    orphanedSubs: optional(
      f.withoutEffect(
        f.list(Type.String(), "Subinstallations that the blueprint has no more."),
        "they are found by their owner",
      ),
    ),
  },
  "Subinstallations of the last job.",
);

export const automaticReconcileStatusSchema = f.object(
  {
    generation: optional(f.int64("Generation that the count belongs to.")),
    numberOfReconciles: optional(f.int32("Jobs that were started automatically.")),
    lastReconcileTime: optional(f.time("When the last of them was started.")),
    onFailed: optional(f.flag("Whether they were retries after failure.")),
  },
  "State of automaticReconcile.",
);
export type AutomaticReconcileStatus = Static<typeof automaticReconcileStatusSchema>;

/** Fields of the seed that the original dropped (core.md §1.5 D2). */
const seedStatusFields = {
  imports: optional(
    f.list(
      f.object(
        {
          name: optional(f.text("Name of the import.")),
          type: optional(f.text("dataobject, target, targetList or targetMap.")),
          dataRef: optional(f.text("Name of the imported DataObject or Target.")),
          secretRef: optional(f.text("The imported Secret: NAMESPACE/NAME, with #KEY if only this key is imported.")),
          configMapRef: optional(f.text("The imported ConfigMap, in the same form.")),
          target: optional(f.text("Name of the imported Target.")),
          targets: optional(
            f.list(
              f.object(
                {
                  key: optional(f.text("Key of the Target in a map.")),
                  target: optional(f.text("Name of the Target.")),
                  configGeneration: optional(f.anyJson("Generation of the Target that was used.")),
                },
                "An imported Target.",
              ),
              "Imported Targets of a list or map, in its order.",
            ),
          ),
          configGeneration: optional(f.anyJson("State of the imported object that was used.")),
        },
        "An import of the last job.",
      ),
      "Imports of the last job.",
    ),
  ),
  installationRefs: optional(
    f.list(
      f.object(
        { name: optional(f.text("Name of the template.")), ref: optional(f.serverRequires(f.objectRefSchema, [])) },
        "A subinstallation.",
      ),
      "Subinstallations.",
    ),
  ),
};

export const installationStatusSchema = f.serverRequires(
  f.object(
    {
      ...f.jobStatusFields,
      ...seedStatusFields,
      observedGeneration: optional(f.int64("Generation that the last job worked on.")),
      phaseTransitionTime: optional(f.time("When the phase changed last.")),
      subInstCache: optional(subInstCacheSchema),
      executionRef: optional(f.objectRefSchema),
      importsHash: optional(f.text("Hash of the imports of the last job.")),
      automaticReconcileStatus: optional(automaticReconcileStatusSchema),
      dependentsToTrigger: optional(
        f.list(
          f.object({ name: optional(f.text("Name of the Installation.")) }, "A successor."),
          "Successors to trigger.",
        ),
      ),
    },
    "State of the Installation.",
  ),
  ["observedGeneration"],
);
export type InstallationStatus = Static<typeof installationStatusSchema>;

export interface Installation extends KubeObject {
  spec: InstallationSpec;
  status?: InstallationStatus;
}

export const installationKind = defineKind<Installation>({
  kind: "Installation",
  plural: "installations",
  singular: "installation",
  shortNames: ["inst"],
  description: "Installs a blueprint with concrete imports.",
  columns: [column("Phase", ".status.phase"), column("Execution", ".status.executionRef.name"), ...readyColumns],
  hasStatusSubresource: true,
  fields: { spec: installationSpecSchema, status: optional(installationStatusSchema) },
});
