// Builders of the objects that tests apply.
import {
  annotations,
  apiVersion,
  operations,
  type DataObject,
  type Installation,
  type InstallationSpec,
  type InstallationTemplate,
  type Target,
} from "@landscaper/api";
import { stringify } from "yaml";
import { testItemType, type TestItemConfig } from "@landscaper/testkit";

export interface TestBlueprint {
  readonly imports?: readonly unknown[];
  readonly exports?: readonly unknown[];
  readonly subinstallations?: readonly InstallationTemplate[];
  readonly importExecutions?: readonly unknown[];
  /** Instead of `deploy`. */
  readonly deployExecutions?: readonly unknown[];
  readonly subinstallationExecutions?: readonly unknown[];
  /** Instead of `export`. */
  readonly exportExecutions?: readonly unknown[];
  /** Go template of the deploy execution. */
  readonly deploy?: string;
  /** Go template of the export execution. */
  readonly export?: string;
}

export function filesystemOf({ deploy, export: exportTemplate, ...fields }: TestBlueprint): Record<string, string> {
  const blueprint = {
    apiVersion,
    kind: "Blueprint",
    ...fields,
    ...(deploy === undefined ? {} : { deployExecutions: [{ name: "default", type: "GoTemplate", template: deploy }] }),
    ...(exportTemplate === undefined
      ? {}
      : { exportExecutions: [{ name: "default", type: "GoTemplate", template: exportTemplate }] }),
  };
  return { "blueprint.yaml": stringify(blueprint) };
}

export interface TestInstallation extends Omit<InstallationSpec, "blueprint"> {
  readonly name: string;
  readonly blueprint: TestBlueprint;
  /** Default: triggered. */
  readonly annotations?: Record<string, string>;
}

export const trigger = { [annotations.operation]: operations.reconcile };

export function installation({ name, blueprint, annotations: own, ...spec }: TestInstallation): Installation {
  return {
    apiVersion,
    kind: "Installation",
    metadata: { name, annotations: own ?? trigger },
    spec: { ...spec, blueprint: { inline: { filesystem: filesystemOf(blueprint) } } },
  };
}

export interface TestItem extends Partial<TestItemConfig> {
  readonly name: string;
  readonly dependsOn?: readonly string[];
  readonly type?: string;
  readonly target?: Readonly<Record<string, unknown>>;
  readonly updateOnChangeOnly?: boolean;
  readonly onDelete?: { readonly skipUninstallIfClusterRemoved: boolean };
}

/** A deploy execution without template logic. */
export function deployItems(...items: readonly TestItem[]): string {
  const entries = items.map(
    ({ name, dependsOn, type = testItemType, target, updateOnChangeOnly, onDelete, ...config }) => ({
      name,
      type,
      ...(dependsOn === undefined ? {} : { dependsOn }),
      ...(target === undefined ? {} : { target }),
      ...(updateOnChangeOnly === undefined ? {} : { updateOnChangeOnly }),
      ...(onDelete === undefined ? {} : { onDelete }),
      config: { apiVersion: "test/v1", kind: "Item", ...config },
    }),
  );
  return stringify({ deployItems: entries });
}

export function template(
  fields: Omit<InstallationTemplate, "apiVersion" | "kind" | "blueprint"> & { readonly blueprint: TestBlueprint },
): InstallationTemplate {
  const { blueprint, ...rest } = fields;
  return { apiVersion, kind: "InstallationTemplate", ...rest, blueprint: { filesystem: filesystemOf(blueprint) } };
}

export function dataObject(name: string, data: unknown): DataObject {
  return { apiVersion, kind: "DataObject", metadata: { name }, data };
}

export function target(name: string, config: Record<string, unknown> = {}): Target {
  return { apiVersion, kind: "Target", metadata: { name }, spec: { type: "landscaper.gardener.cloud/mock", config } };
}

/** One execution of type Spiff, called "default" as the others are. */
export function spiff(template: unknown): readonly unknown[] {
  return [{ name: "default", type: "Spiff", template }];
}

export const stringParameter = (name: string) => ({ name, type: "data", schema: { type: "string" } });
export const targetParameter = (name: string) => ({ name, type: "target", targetType: "mock" });
