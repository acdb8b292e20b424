import { annotations, boundPaths, everything, isUnderPath, parsePaths, type JsonPath } from "@landscaper/api";
import { parseJson } from "@landscaper/json";

type PathsByItem = Readonly<Record<string, readonly JsonPath[]>>;

/** All annotations of an object together may have 256 KiB. */
const maxLength = 65_536;

/** The annotation of an Execution: paths by item, of items that have any. Undefined when they are too many to be told. */
export function formatSensitiveConfigs(configs: PathsByItem): string | undefined {
  const sensitive = Object.entries(configs).filter(([, paths]) => paths.length > 0);
  const forms = [
    sensitive.map(([name, paths]) => [name, boundPaths(paths)] as const),
    sensitive.map(([name]) => [name, everything] as const),
  ];
  return forms.map((form) => JSON.stringify(Object.fromEntries(form))).find((text) => text.length <= maxLength);
}

/** The annotation of the DeployItem of that name; undefined when the one of the Execution says nothing that can be read. */
export function sensitiveConfigOf(annotation: string | undefined, item: string): string | undefined {
  if (annotation === undefined) return undefined;
  try {
    const configs: unknown = parseJson(annotation);
    if (typeof configs !== "object" || configs === null || Array.isArray(configs)) return undefined;
    const paths: unknown = Object.hasOwn(configs, item) ? Reflect.get(configs, item) : [];
    const text = JSON.stringify(paths);
    return parsePaths(text) === undefined ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The paths of earlier specifications of an item that `present` has no more, for its annotation; undefined for none. */
export function formerSensitiveConfig(
  before: Readonly<Record<string, string>> | undefined,
  present: string | undefined,
): string | undefined {
  const known = [annotations.formerSensitiveConfig, annotations.sensitiveConfig].flatMap(
    (name) => parsePaths(before?.[name]) ?? [],
  );
  const still = parsePaths(present) ?? [];
  const former = known.filter((path) => !still.some((other) => isUnderPath(path, other)));
  return former.length === 0 ? undefined : JSON.stringify(boundPaths(former));
}
