import { findIgnoredFields, type IgnoredField } from "../schema/ignored-fields.ts";
import { contextSchema, type Context } from "../kinds/context.ts";
import { warnOfIgnoredFields, type Warning } from "./warnings.ts";

/** The entry of `configurations` with the credentials of Helm repositories: the only one that is read. */
export const chartRepositoryConfiguration = "helmChartRepoCredentials";

/** The warnings of a Context: its fields without effect, unless they are empty. */
export function warnOfContext(context: Context): readonly Warning[] {
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(context));
  // In the order of the schema: API servers sort fields as they like, and other words would be news.
  const fields = Object.keys(contextSchema.properties)
    .map((name) => [name, values.get(name)] as const)
    .filter(([, value]) => !isEmpty(value));
  const ignored = [
    ...findIgnoredFields({ ...contextSchema }, Object.fromEntries(fields)),
    ...findUnreadConfigurations(context),
  ];
  return warnOfIgnoredFields(`Context "${context.metadata.name}"`, ignored);
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "";
}

/** A name with a domain belongs to a third-party deployer, whose fields are unknown here. */
function findUnreadConfigurations({ configurations = {} }: Context): readonly IgnoredField[] {
  return Object.keys(configurations)
    .filter((name) => name !== chartRepositoryConfiguration && !name.includes("."))
    .toSorted()
    .map((name) => ({
      path: `configurations.${name}`,
      why: `only "${chartRepositoryConfiguration}" is read, and what has a domain in its name by deployers that know it`,
    }));
}
