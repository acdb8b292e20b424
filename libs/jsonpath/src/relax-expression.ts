const keywords = new Set(["range", "end", "true", "false"]);

/** A template, and where its text stands in the expression that the user wrote. */
export interface RelaxedExpression {
  readonly template: string;
  /** Add to an index of the template to get the index in the expression. */
  readonly shift: number;
}

/**
 * The template for an expression in any of the forms that users write: `a.b`, `.a.b`, `{a.b}`, `{.a.b}`, `$.a`, `[0]`, or a whole template
 * with text and several actions, which stays as it is. Extends kubectl's RelaxedJSONPathExpression.
 */
export function relaxExpression(expression: string): RelaxedExpression {
  const isAction = expression.startsWith("{") && expression.endsWith("}");
  const path = (isAction ? expression.slice(1, -1) : expression).trim();
  if (path === "" || /[{}]/.test(path)) {
    return { template: expression, shift: 0 };
  }
  const [, word, next] = /^([\p{L}_][^\s.[]*)(\s?)/u.exec(path) ?? [];
  if (isAction && (word === undefined || next !== "" || keywords.has(word))) {
    return { template: expression, shift: 0 };
  }
  const opening = /^[.[$@]/.test(path) ? "{" : "{.";
  return { template: `${opening}${path}}`, shift: expression.indexOf(path) - opening.length };
}
