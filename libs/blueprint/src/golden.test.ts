import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { everything, LandscaperError, type InstallationSpec, type Target } from "@landscaper/api";
import { fromYaml } from "@landscaper/goyaml";
import { lookupIn, parseDescriptor } from "@landscaper/ocm";
import { describe, expect, it } from "@jest/globals";
import { filesFromTree } from "./blueprint-files.ts";
import { readBlueprint } from "./create-blueprint.ts";
import { renderDeployItems } from "./deploy-item/render-deploy-items.ts";
import type { ImportedValues, ParameterValue } from "./parameter/parameter-value.ts";
import type { RenderContext } from "./render-context.ts";
import { traceExports, traceImports, traceRendering } from "./provenance/trace-installation.ts";
import { renderSubinstallations } from "./subinstallation/render-subinstallations.ts";

type TargetInput = { type: string; config?: unknown };

/** imports.yaml of a case: what the Installation and the cluster give. */
interface Input {
  readonly data?: Record<string, unknown>;
  /** By import name: one target, a list, or a map of them. */
  readonly targets?: Record<string, TargetInput | TargetInput[] | Record<string, TargetInput>>;
  readonly mappings?: Record<string, unknown>;
  readonly installation?: Partial<InstallationSpec>;
  readonly componentDescriptor?: unknown;
  /** Descriptors that it refers to. */
  readonly components?: readonly unknown[];
  /** Of deploy, subinstallation and export executions. */
  readonly state?: Record<string, unknown>;
  readonly subinstallationState?: Record<string, unknown>;
  readonly exportState?: Record<string, unknown>;
  readonly wanted?: { data: string[]; targets: string[] };
  readonly exportMappings?: Record<string, unknown>;
  readonly exportBindings?: {
    deployItems?: Record<string, unknown>;
    dataObjects?: Record<string, unknown>;
    targets?: Record<string, TargetInput>;
  };
}

/** want.yaml: only what it names is compared. */
interface Want {
  readonly error?: string;
  readonly errorPattern?: string;
  readonly reason?: string;
  readonly imports?: unknown;
  readonly values?: unknown;
  readonly unsatisfied?: string[];
  readonly deployItems?: unknown;
  readonly subinstallations?: unknown;
  readonly order?: unknown;
  readonly exports?: unknown;
  readonly state?: unknown;
  readonly subinstallationState?: unknown;
  readonly exportState?: unknown;
}

const folder = join(import.meta.dirname, "../testdata");

function readTree(path: string): Record<string, unknown> {
  return Object.fromEntries(
    readdirSync(path, { withFileTypes: true }).map((entry) => {
      const file = join(path, entry.name);
      return [entry.name, entry.isDirectory() ? readTree(file) : readFileSync(file)];
    }),
  );
}

function readYaml(path: string): unknown {
  return fromYaml(readFileSync(path, "utf8")) ?? {};
}

function target(name: string, { type, config }: TargetInput): Target {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Target",
    metadata: { name, namespace: "ns" },
    spec: { type, config },
  };
}

function targetValue(name: string, input: TargetInput | TargetInput[] | Record<string, TargetInput>): ParameterValue {
  if (Array.isArray(input))
    return { type: "targetList", targets: input.map((item, i) => target(`${name}-${i}`, item)) };
  if (typeof input["type"] === "string")
    return { type: "target", target: target(`${name}-object`, input as TargetInput) };
  const entries = Object.entries(input as Record<string, TargetInput>);
  return {
    type: "targetMap",
    targets: Object.fromEntries(entries.map(([key, item]) => [key, target(`${name}-${key}`, item)])),
  };
}

function givenValues({ data = {}, targets = {} }: Input): ImportedValues {
  return Object.fromEntries([
    ...Object.entries(data).map(([name, value]) => [name, { type: "data", value, sensitive: everything }] as const),
    ...Object.entries(targets).map(([name, input]) => [name, targetValue(name, input)] as const),
  ]);
}

function componentOf({ componentDescriptor, components = [] }: Input): RenderContext["component"] {
  if (componentDescriptor === undefined) return undefined;
  const descriptor = parseDescriptor(componentDescriptor, "componentDescriptor");
  const others = components.map((document) => parseDescriptor(document, "components"));
  const all = [descriptor, ...others];
  const lookup = lookupIn(all);
  return { descriptor, components: all, lookup, lookupOriginal: lookup, schemaVersion: descriptor.schemaVersion };
}

function render(input: Input, tree: unknown) {
  const context: RenderContext = {
    source: readBlueprint(filesFromTree(tree, "blueprint")),
    installation: {
      name: "inst",
      namespace: "ns",
      spec: { blueprint: { inline: { filesystem: {} } }, ...input.installation },
    },
    component: componentOf(input),
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes),
  };
  const traced = traceImports({ context, given: givenValues(input), mappings: input.mappings });
  const imports = traced.value;
  const { items, children } = traceRendering({
    context,
    imports: traced,
    states: { deploy: input.state ?? {}, subinstallation: input.subinstallationState ?? {} },
    render: (inner, given) => ({
      items: renderDeployItems({ context: inner, imports: given.imports, state: given.states.deploy }),
      children: renderSubinstallations({
        context: inner,
        imports: given.imports,
        state: given.states.subinstallation,
      }),
    }),
  }).value;
  const { subinstallations } = children;
  const { targets = {}, deployItems = {}, dataObjects = {} } = input.exportBindings ?? {};
  const exports = traceExports({
    context,
    imports: traced,
    sensitive: { deployItems: everything, dataObjects: {} },
    bindings: {
      deployItems,
      dataObjects,
      targets: Object.fromEntries(Object.entries(targets).map(([key, item]) => [key, target(key, item)])),
    },
    wanted: input.wanted ?? { data: [], targets: [] },
    mappings: input.exportMappings,
    state: input.exportState ?? {},
  }).value;
  return {
    imports: imports.bindings,
    values: Object.fromEntries(
      Object.entries(imports.values).map(([name, value]) => [name, value.type === "data" ? value.value : value]),
    ),
    unsatisfied: [...imports.unsatisfied].toSorted(),
    deployItems: items.deployItems,
    state: items.state,
    subinstallationState: children.state,
    exportState: exports.state,
    subinstallations,
    order: subinstallations.map(({ name }) => name),
    exports: { data: exports.data, targets: exports.targets },
  };
}

function failure(run: () => unknown): LandscaperError {
  try {
    run();
  } catch (error) {
    if (error instanceof LandscaperError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("golden folders", () => {
  it.each(readdirSync(folder))("%s", (name) => {
    const input = readYaml(join(folder, name, "imports.yaml")) as Input;
    const want = readYaml(join(folder, name, "want.yaml")) as Want;
    const run = (): ReturnType<typeof render> => render(input, readTree(join(folder, name, "blueprint")));
    if (want.error !== undefined || want.errorPattern !== undefined) {
      const error = failure(run);
      if (want.error !== undefined) expect(error.message).toBe(want.error);
      if (want.errorPattern !== undefined) expect(error.message).toMatch(new RegExp(want.errorPattern, "s"));
      if (want.reason !== undefined) expect(error.reason).toBe(want.reason);
      expect(error.message).not.toContain("secret");
      expect({ retry: error.retry, code: error.code }).toEqual({ retry: "never", code: "ERR_CONFIGURATION_PROBLEM" });
      return;
    }
    const got: Record<string, unknown> = run();
    expect(Object.fromEntries(Object.keys(want).map((key) => [key, got[key]]))).toEqual(want);
    expect(run()).toEqual(got);
  });
});
