import { findNearestName } from "@landscaper/api";
import { simulationPrefix } from "../simulation-options.ts";

const podNames = ["start-delay", "ready-delay", "stop-delay", "never-ready", "unschedulable"];
const containerNames = ["image-pull-failure", "run-duration", "exit-code", "exit-times", "exit-message", "log"];
const allNames = [...podNames, ...containerNames];

/** Returns a problem for each simulation annotation that would have no effect because of its name. */
export function findUnknownAnnotations(
  annotations: Readonly<Record<string, string>>,
  containers: readonly string[] | undefined,
): string[] {
  return Object.keys(annotations).flatMap((key) => {
    if (!key.startsWith(simulationPrefix)) return [];
    const problem = problemOf(key.slice(simulationPrefix.length), containers);
    return problem === undefined ? [] : [`annotation ${key}: ${problem}`];
  });
}

/** `short` is a key without the prefix, such as "exit-code.main". */
function problemOf(short: string, containers: readonly string[] | undefined): string | undefined {
  const dot = short.indexOf(".");
  const name = dot === -1 ? short : short.slice(0, dot);
  const container = dot === -1 ? undefined : short.slice(dot + 1);
  if (!allNames.includes(name)) {
    const nearest = findNearestName(name, allNames);
    const keepsContainer = container !== undefined && nearest !== undefined && containerNames.includes(nearest);
    const remedy = keepsContainer ? `${nearest}.${container}` : (nearest ?? `one of ${allNames.join(", ")}`);
    return `expected a known annotation, found "${name}". Use ${remedy}`;
  }
  if (container === undefined) return undefined;
  if (podNames.includes(name))
    return `expected an annotation of the whole pod, found one of container "${container}". Use ${name}`;
  if (containers === undefined || containers.includes(container)) return undefined;
  const nearest = findNearestName(container, containers);
  const remedy = nearest === undefined ? `one of ${containers.slice(0, 10).join(", ")}` : `${name}.${nearest}`;
  return `expected a container of the pod, found "${container}". Use ${remedy}`;
}
