import { Type, type Static } from "typebox";
import * as f from "../schema/schema-fields.ts";

const { optional } = f;

/** What happens with one object (deployers.md §1.2). */
export const managePolicies = ["manage", "fallback", "keep", "ignore", "immutable"] as const;
export type ManagePolicy = (typeof managePolicies)[number];

export const updateStrategies = ["update", "patch", "merge", "mergeOverwrite", "apply"] as const;
export type UpdateStrategy = (typeof updateStrategies)[number];

export const updateStrategySchema = Type.Enum(updateStrategies, {
  default: "update",
  description: "How existing objects are changed.",
});

/** How strategy `apply` deals with fields of others. Ours, not the original's. */
export const serverSideApplySchema = f.object(
  {
    force: optional(f.flag("Take over fields that other managers have, instead of reporting the conflict.")),
    takeOver: optional(
      f.list(
        Type.String(),
        "Managers whose updates count as our own, e.g. those of a tool that was used before. Those of the original count on the item's objects anyway.",
      ),
    ),
  },
  "How updateStrategy apply deals with fields of others.",
);
export type ServerSideApply = Static<typeof serverSideApplySchema>;

export const requireApprovalSchema = f.flag("Wait for approval of the changes that the job would make.");

const driftModes = ["off", "warn", "correct"] as const;
/** What happens when an object is no longer as it was deployed. */
export type DriftMode = (typeof driftModes)[number];

const ignoreRuleSchema = f.object(
  {
    apiVersion: optional(f.text("API version of the objects; any when absent.")),
    kind: optional(f.text("Kind of the objects; any when absent.")),
    name: optional(f.text("Name of the object; any when absent.")),
    namespace: optional(f.text("Namespace of the objects; any when absent.")),
    labels: optional(f.mapOf(Type.String(), "Labels that the objects have on the target.")),
    jsonPointers: Type.Array(Type.String({ pattern: "^(/.*)?$", maxLength: 1024 }), {
      minItems: 1,
      maxItems: 100,
      description: "Fields (RFC 6901), such as /spec/replicas.",
    }),
  },
  "Fields of some objects.",
);

/** Fields of objects that others set (docs/reference/objects-on-targets.md#fields-of-the-cluster). */
export const ignoreFieldsSchema = Type.Array(ignoreRuleSchema, {
  maxItems: 100,
  description:
    "Fields that other clients set: after an object is created, neither jobs nor corrections of drift change them.",
});

/** Ours, not the original's (docs/reference/objects-on-targets.md#fields-of-the-cluster). */
export const driftFields = {
  driftDetection: optional(
    Type.Enum(driftModes, {
      description: "What to do about manual changes of deployed objects: nothing (off), report them, or correct them.",
    }),
  ),
  driftIgnore: optional(
    Type.Array(ignoreRuleSchema, { maxItems: 100, description: "Former name of ignoreFields; the lists are joined." }),
  ),
  ignoreFields: optional(ignoreFieldsSchema),
};

const readinessOperators = ["!", "exists", "=", "==", "!=", "in", "notin"] as const;

const readinessRequirementSchema = f.object(
  {
    jsonPath: f.text("Path in the object, such as .status.phase."),
    operator: Type.Enum(readinessOperators, { description: "How to compare." }),
    values: optional(f.list(f.object({ value: f.anyJson("A value.") }, "A value."), "Values to compare with.")),
  },
  "A requirement.",
);
export type ReadinessRequirement = Static<typeof readinessRequirementSchema>;

/** Longer expressions are refused before they are compiled. */
const celSchema = (description: string) => Type.String({ minLength: 1, maxLength: 4096, description });

/** "", "*", "*.example.com" or "example.com". */
const groupPattern = String.raw`^(|\*|(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$`;
const kindPattern = "^([*]|[A-Za-z][A-Za-z0-9]*)$";

const healthRuleSchema = f.object(
  {
    name: Type.String({ minLength: 1, maxLength: 63, description: "Name of the rule, for messages." }),
    groups: Type.Array(Type.String({ pattern: groupPattern }), {
      minItems: 1,
      description:
        "Groups of the API; an empty text is the core group. *.example.com: all groups below; *: all groups but those of Kubernetes itself.",
    }),
    kinds: Type.Array(Type.String({ pattern: kindPattern }), {
      minItems: 1,
      description: "Kinds of these groups; *: all.",
    }),
    anyField: optional(
      Type.Array(Type.String({ pattern: "^[A-Za-z0-9_]+([.][A-Za-z0-9_]+)*$" }), {
        minItems: 1,
        description: "The rule is only for objects that have one of these fields, such as spec.forProvider.",
      }),
    ),
    paused: optional(
      celSchema("Expression that is true for an object whose controller does not work on it: it counts as healthy."),
    ),
    match: optional(celSchema("Expression that is true for the objects of the rule; all when absent.")),
    inProgress: optional(celSchema("Expression that is true while waiting helps; it is evaluated first.")),
    failed: optional(celSchema("Expression that is true when waiting does not help; it is evaluated second.")),
    current: celSchema("Expression that is true for a healthy object."),
  },
  "How to tell from an object whether it is healthy.",
);
export type HealthRule = Static<typeof healthRuleSchema>;

export const healthRulesSchema = Type.Array(healthRuleSchema, {
  maxItems: 200,
  description: "Health rules by kind, for items with level kstatus. They replace the shipped rules.",
});

const customReadinessCheckSchema = f.object(
  {
    name: f.text("Name of the check."),
    disabled: optional(f.flag("Do not check.")),
    timeout: optional(f.withoutEffect(f.duration("Not used."), "the timeout of the deploy item counts")),
    resourceSelector: optional(f.list(f.typedObjectRefSchema, "Objects to check.")),
    labelSelector: optional(
      f.object(
        {
          apiVersion: f.text("API version of the objects."),
          kind: f.text("Kind of the objects."),
          matchLabels: Type.Record(Type.String(), Type.String(), {
            minProperties: 1,
            description: "Labels that the objects have, in any namespace.",
          }),
        },
        "Objects to check.",
      ),
    ),
    requirements: optional(Type.Array(readinessRequirementSchema, { minItems: 1, description: "All must hold." })),
    cel: optional(celSchema("Expression in CEL that is true for a ready object.")),
    targetName: optional(f.text("Target of the DeployItem's namespace to look into.")),
  },
  "A check; resourceSelector or labelSelector or both, and requirements or cel or both.",
);
export type CustomReadinessCheck = Static<typeof customReadinessCheckSchema>;

const readinessLevels = ["default", "kstatus"] as const;
/** "default": the rules of the original (deployers.md §3.6); "kstatus": every kind by the conventions of kstatus. */
export type ReadinessLevel = (typeof readinessLevels)[number];

export const readinessChecksSchema = f.object(
  {
    disableDefault: optional(f.flag("Do not wait for workloads.")),
    level: optional(
      Type.Enum(readinessLevels, {
        description: "Which objects are waited for: workloads (default), or every kind by its status (kstatus).",
      }),
    ),
    emptyStatusWait: optional(
      f.duration(
        "With level kstatus: how long a job waits for the first status of a custom resource that it has created or changed; 15s by default.",
      ),
    ),
    emptyStatusWaitByKind: optional(
      f.list(
        f.object(
          {
            apiVersion: f.text("API version of the custom resources."),
            kind: f.text("Kind of the custom resources."),
            wait: f.duration("How long a job waits."),
          },
          "A kind that needs more or less time.",
        ),
        "Kinds with another emptyStatusWait.",
      ),
    ),
    failFast: optional(
      f.flag("End the job when waiting cannot help, such as ImagePullBackOff; by default with level kstatus."),
    ),
    custom: optional(Type.Array(customReadinessCheckSchema, { maxItems: 100, description: "Further checks." })),
  },
  "When the deployment counts as done.",
);
export type ReadinessChecks = Static<typeof readinessChecksSchema>;

export const resourceExportSchema = f.object(
  {
    key: f.text("Name of the value; dots make nested maps."),
    jsonPath: f.text("Path of the value."),
    timeout: optional(f.withoutEffect(f.duration("Not used."), "the timeout of the deploy item counts")),
    fromResource: optional(f.typedObjectRefSchema),
    fromObjectRef: optional(
      f.object(
        {
          apiVersion: f.text("API version of the object."),
          kind: f.text("Kind of the object."),
          jsonPath: f.text("Path of the value in the object whose name and namespace jsonPath yields."),
        },
        "Follow a reference.",
      ),
    ),
    targetName: optional(f.text("Target of the DeployItem's namespace to look into.")),
  },
  "A value to export.",
);
export type ResourceExport = Static<typeof resourceExportSchema>;

export const exportsSchema = f.object(
  {
    defaultTimeout: optional(f.withoutEffect(f.duration("Not used."), "the timeout of the deploy item counts")),
    exports: optional(f.list(resourceExportSchema, "Values to export.")),
  },
  "Values to export.",
);

const groupTypes = ["namespaced-resources", "cluster-scoped-resources", "crds", "empty"] as const;

const predefinedGroupSchema = f.object(
  {
    type: Type.Enum(groupTypes, { description: "Which objects." }),
    forceDelete: optional(f.flag("Remove finalizers.")),
  },
  "A group that needs no list.",
);

const customGroupSchema = f.object(
  {
    resources: f.list(
      f.object(
        {
          apiVersion: f.text("API version of the objects."),
          kind: f.text("Kind of the objects."),
          names: optional(f.list(Type.String(), "Their names; all when absent.")),
          namespaces: optional(f.list(Type.String(), "Their namespaces; all when absent.")),
        },
        "Objects of a kind.",
      ),
      "Objects of the group.",
    ),
    forceDelete: optional(f.flag("Remove finalizers.")),
    deleteAllResources: optional(f.flag("Also objects that the item does not manage.")),
    targetName: optional(f.text("Target of the DeployItem's namespace; needs deleteAllResources.")),
  },
  "A group by list.",
);

export const deletionGroupSchema = Type.Object(
  {
    predefinedResourceGroup: optional(predefinedGroupSchema),
    customResourceGroup: optional(customGroupSchema),
  },
  {
    description: "Objects that are deleted together.",
    ...f.exactlyOne("predefinedResourceGroup", "customResourceGroup"),
  },
);
export type DeletionGroup = Static<typeof deletionGroupSchema>;

export const continuousReconcileSchema = f.object(
  {
    cron: optional(f.text("Five cron fields, or a descriptor such as @hourly.")),
    every: optional(f.duration("Time between runs.")),
    windows: optional(
      f.list(
        f.object(
          {
            start: f.text("When it opens: five cron fields, perhaps after TZ=ZONE."),
            duration: f.duration("How long it is open."),
          },
          "A time in which runs may start.",
        ),
        "Times in which runs may start; what is due between them waits for the next. Default: always.",
      ),
    ),
  },
  "Repeat without a job; cron or every.",
);
export type ContinuousReconcile = Static<typeof continuousReconcileSchema>;

/** What manifest and helm items share. */
export const resourceFields = {
  readinessChecks: optional(readinessChecksSchema),
  exports: optional(exportsSchema),
  continuousReconcile: optional(continuousReconcileSchema),
  deletionGroups: optional(f.list(deletionGroupSchema, "Order of the deletion.")),
  deletionGroupsDuringUpdate: optional(f.list(deletionGroupSchema, "Order of the deletion of what is gone.")),
};
