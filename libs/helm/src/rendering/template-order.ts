import { compareStrings } from "@landscaper/goyaml";

/**
 * The order in which Helm parses and renders: the deepest paths first, then backwards by name. Of two definitions of one
 * name the one that is parsed last counts, so that a chart's own wins over those of its dependencies.
 */
export function compareTemplateNames(a: string, b: string): number {
  return depth(b) - depth(a) || compareStrings(b, a);
}

function depth(name: string): number {
  return name.split("/").length;
}
