import { Environment } from "@marcbachmann/cel-js";
import { libraryName } from "./expression-tokens.ts";
import { hasMacro } from "./has-macro.ts";
import { registerListLibrary } from "./list-library.ts";
import { registerStringLibrary } from "./string-library.ts";

export interface CelLimits {
  /** Maximum number of nodes in the syntax tree of an expression. Default: 100,000, as in cel-js. */
  readonly maxNodes?: number;
}

/**
 * The expression language of CRD rules and admission policies: cel-js with optional types and the libraries of Kubernetes for strings,
 * lists, regular expressions (linear time) and sets. Not there: URLs, quantities, IP addresses, semver, formats, the authorizer, and
 * comprehensions with two variables.
 */
export function createCelEnvironment({ maxNodes }: CelLimits = {}): Environment {
  const limits = maxNodes === undefined ? {} : { limits: { maxAstNodes: maxNodes } };
  const environment = new Environment({ enableOptionalTypes: true, ...limits });
  environment.registerFunction(`${libraryName("has")}(ast): bool`, hasMacro);
  registerStringLibrary(environment);
  registerListLibrary(environment);
  return environment;
}
