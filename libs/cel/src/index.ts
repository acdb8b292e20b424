export { createCelEnvironment } from "./cel-environment.ts";
export { describeEvaluationError, isCelError, isOverloadError, type CelError } from "./cel-messages.ts";
export { CelCompileError, compileExpression, type CelProgram } from "./compile-expression.ts";
export { compilePattern } from "./compile-pattern.ts";
export { toDynamicValue } from "./dynamic-value.ts";
export { equalCelValues } from "./equal-cel-values.ts";
export { escapeIdentifier, isIdentifier } from "./escape-identifier.ts";
export { mentionsVariable } from "./expression-tokens.ts";
