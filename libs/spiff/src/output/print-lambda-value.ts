import { printLambda } from "../syntax/print-expression.ts";
import type { LambdaValue } from "../value/value.ts";

export function printLambdaValue(lambda: LambdaValue): string {
  return `lambda${printLambda(lambda.parameters, lambda.body)}`;
}
