import { toCandiedYaml } from "@landscaper/goyaml";

/** Plain data as the YAML text of the original: keys sorted, lists not indented, text beyond ASCII escaped. */
export function yamlText(plain: unknown): string {
  return toCandiedYaml(plain);
}
