import { findNearestName, groupName, qualifyType } from "@landscaper/api";

/** The deployers of this product by their names in the configuration, with the types of their DeployItems. */
export const ownDeployers: ReadonlyMap<string, string> = new Map([
  ["manifest", qualifyType("kubernetes-manifest")],
  ["helm", qualifyType("helm")],
  ["container", qualifyType("container")],
  ["mock", qualifyType("mock")],
]);

/**
 * Returns the type of one of our deployers that a misspelt type of a DeployItem probably means; the name of the deployer instead of its type counts as misspelt.
 * Returns undefined for a type of ours, and for one that is like none.
 */
export function findMeantType(type: string): string | undefined {
  const types = [...ownDeployers.values()];
  const qualified = qualifyType(type);
  if (types.includes(qualified)) return undefined;
  const slash = qualified.lastIndexOf("/");
  if (findNearestName(qualified.slice(0, Math.max(0, slash)), [groupName]) === undefined) return undefined;
  const typesByName = new Map([...types.map((each) => [each.split("/").at(-1) ?? "", each] as const), ...ownDeployers]);
  const nearest = findNearestName(qualified.slice(slash + 1), [...typesByName.keys()]);
  return nearest === undefined ? undefined : typesByName.get(nearest);
}
