export { builtinNames } from "./builtins/builtins.ts";
export { parseTemplate, TemplateCache, TemplateSet } from "./template-set.ts";
export type { ExecuteOptions, Template, TemplateSetOptions } from "./template-set.ts";
export type { Budget } from "./exec/budget.ts";
export type { MissingKey } from "./exec/exec-state.ts";
export { TemplateError } from "./template-error.ts";
export type { TemplateErrorKind, TemplatePosition } from "./template-error.ts";
export { sprigFunctions } from "./sprig/sprig-functions.ts";
