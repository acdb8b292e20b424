import { LandscaperError, type DeployItemTemplate } from "@landscaper/api";
import { selectRoot, type SubinstallationSource } from "@landscaper/blueprint";
import {
  componentOfKey,
  formatPins,
  parsePins,
  pinChart,
  pinComponents,
  type ChartPin,
  type Closure,
} from "@landscaper/components";
import { isObject } from "@landscaper/oci";
import { componentText, parseDescriptor } from "@landscaper/ocm";
import type { JobInput } from "./render-task.ts";

export interface PinningOptions {
  readonly closure: Closure | undefined;
  readonly job: JobInput;
}

export interface JobPinningOptions extends PinningOptions {
  readonly items: readonly DeployItemTemplate[];
  /** sha256 of its archive; undefined for an inline one. */
  readonly blueprint: string | undefined;
}

const helmType = "landscaper.gardener.cloud/helm";

/** Whether everything of the closure was verified, with this Installation or its root. */
function isVerified({ components, pins }: JobInput): boolean {
  return components.verification !== undefined || parsePins(pins.parent)?.isVerified === true;
}

/** The annotation of an Execution: what its items were rendered with. Undefined without a component. Throws LandscaperError. */
export function pinJob({ closure, job, items, blueprint }: JobPinningOptions): string | undefined {
  if (closure === undefined) return undefined;
  const verified = isVerified(job);
  const charts = items.flatMap(({ name, type, config }): (readonly [string, ChartPin])[] => {
    const chart = type === helmType && isObject(config) && isObject(config["chart"]) ? config["chart"] : {};
    const pin = pinChart(chart, closure);
    if (verified) checkCovered(name, chart["resourceRef"], pin);
    return pin === undefined ? [] : [[name, pin]];
  });
  return formatPins({
    isVerified: verified,
    components: pinComponents(closure, closure.root),
    ...(blueprint === undefined ? {} : { blueprint }),
    ...(charts.length === 0 ? {} : { items: Object.fromEntries(charts) }),
  });
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
  { closure, job }: PinningOptions,
): string | undefined {
  if (closure === undefined || componentDescriptor === undefined) return undefined;
  const spec = { ...job.installation.spec, componentDescriptor };
  const named = selectRoot({ ...job.installation, spec });
  if (named === undefined) return undefined;
  const { name, version } = "inline" in named ? parseDescriptor(named.inline, "inline descriptor") : named;
  const isOwn = componentText(closure.root) === componentText({ name, version });
  // That of the parent is named as its own reference says, before overwrites.
  const isParent = componentDescriptor === job.installation.spec.componentDescriptor;
  const root = isOwn || isParent ? closure.root : closure.lookup({ name, version });
  if (root === undefined) return undefined;
  return formatPins({ isVerified: isVerified(job), components: pinComponents(closure, root) });
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
