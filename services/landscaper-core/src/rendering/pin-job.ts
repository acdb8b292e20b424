import { LandscaperError, type DeployItemTemplate, type Installation } from "@landscaper/api";
import { findBlueprintResource, selectRoot, type SubinstallationSource } from "@landscaper/blueprint";
import {
  artifactReference,
  componentOfKey,
  createChartPinner,
  formatPins,
  pinComponents,
  type ChartPin,
  type Closure,
  type PinnedChart,
} from "@landscaper/components";
import { isObject } from "@landscaper/oci";
import { componentText, parseDescriptor } from "@landscaper/ocm";

export interface PinningOptions {
  readonly closure: Closure | undefined;
  /** Whether everything of the closure was verified, with this Installation or its root. */
  readonly isVerified: boolean;
}

export interface SubinstallationPinningOptions extends PinningOptions {
  /** The parent. */
  readonly installation: Installation;
}

export interface JobPinningOptions extends PinningOptions {
  readonly items: readonly DeployItemTemplate[];
  /** sha256 of its archive; undefined for an inline one. */
  readonly blueprint: string | undefined;
}

export const helmType = "landscaper.gardener.cloud/helm";
const containerType = "landscaper.gardener.cloud/container";

/** The annotation of an Execution: what its items were rendered with. Undefined without a component. Throws LandscaperError. */
export function pinJob({ closure, isVerified, items, blueprint }: JobPinningOptions): string | undefined {
  if (closure === undefined) return undefined;
  const pinChart = createChartPinner(closure);
  const pins = items.flatMap((item): (readonly [string, ChartPin])[] => {
    const named = contentOf(item);
    const pin = pinChart(named);
    if (isVerified) checkCovered(item.name, named.resourceRef, pin);
    const blueprint = blueprintOf(item, closure);
    if (pin === undefined && blueprint === undefined) return [];
    return [[item.name, { ...pin, ...(blueprint === undefined ? {} : { blueprint }) }]];
  });
  return formatPins({
    isVerified,
    components: pinComponents(closure, closure.root),
    ...(blueprint === undefined ? {} : { blueprint }),
    ...(pins.length === 0 ? {} : { items: Object.fromEntries(pins) }),
  });
}

/** What of an item can be a resource of a component: the chart of a helm item, the image of a container item. */
function contentOf({ type, config }: DeployItemTemplate): PinnedChart {
  if (!isObject(config)) return {};
  if (type === containerType) return { ref: config["image"] };
  return type === helmType && isObject(config["chart"]) ? config["chart"] : {};
}

/** Where the blueprint of a container item lies, which its init container fetches: a deployer cannot know it without the descriptor. */
function blueprintOf({ type, config }: DeployItemTemplate, { components }: Closure): string | undefined {
  if (type !== containerType) return undefined;
  const { componentDescriptor, blueprint } = fieldsOf(config);
  const { componentName, version } = fieldsOf(fieldsOf(componentDescriptor)["ref"]);
  const { resourceName } = fieldsOf(fieldsOf(blueprint)["ref"]);
  const component = components.find((each) => each.name === componentName && each.version === version);
  if (component === undefined || typeof resourceName !== "string") return undefined;
  const resource = findBlueprintResource(component, resourceName);
  return resource && artifactReference(resource);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function checkCovered(item: string, resourceRef: unknown, pin: ChartPin | undefined): void {
  const component = typeof resourceRef === "string" ? componentOfKey(resourceRef) : undefined;
  if (component === undefined || pin?.component === component) return;
  throw new LandscaperError({
    message: `deploy item "${item}": chart.resourceRef: component ${component} is not among the verified ones`,
    reason: "VerifySignature",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

/** The annotation of a subinstallation: what it may use. Undefined without a component. Throws LandscaperError. */
export function pinSubinstallation(
  { componentDescriptor }: SubinstallationSource,
  { closure, isVerified, installation }: SubinstallationPinningOptions,
): string | undefined {
  if (closure === undefined || componentDescriptor === undefined) return undefined;
  const spec = { ...installation.spec, componentDescriptor };
  const named = selectRoot({ ...installation, spec });
  if (named === undefined) return undefined;
  const { name, version } = "inline" in named ? parseDescriptor(named.inline, "inline descriptor") : named;
  const isOwn = componentText(closure.root) === componentText({ name, version });
  // That of the parent is named as its own reference says, before overwrites.
  const isParent = componentDescriptor === installation.spec.componentDescriptor;
  const root = isOwn || isParent ? closure.root : closure.lookup({ name, version });
  if (root === undefined) return undefined;
  return formatPins({ isVerified, components: pinComponents(closure, root) });
}

/** A closure that gives the blueprint, and the sha256 of what it has given. */
export function noteBlueprint(closure: Closure | undefined): {
  readonly closure: Closure | undefined;
  readonly digest: () => string | undefined;
} {
  let digest: string | undefined;
  const noting = closure && {
    ...closure,
    contentOf: (...asked: Parameters<Closure["contentOf"]>) => {
      const supply = closure.contentOf(...asked);
      digest = supply.digest;
      return supply;
    },
  };
  return { closure: noting, digest: () => digest };
}
