import type { ControlSource, ListSource, Source } from "../document/source.ts";
import type { Expression } from "../syntax/expression.ts";
import type { Cell } from "../value/cell.ts";
import type { ListValue, MapValue, Value } from "../value/value.ts";
import type { Environment } from "./environment.ts";

/**
 * Steps of the evaluation that need each other: a value needs expressions, which need other nodes, and so on. A run brings them
 * (`DocumentRun.engine`), so that the files of the steps do not import each other in a circle.
 */
export interface Engine {
  /** Of evaluate.ts. */
  readonly evaluate: (expression: Expression, environment: Environment) => Value;
  readonly evaluateShallow: (expression: Expression, environment: Environment) => Value;
  /** Of compute-cell.ts. */
  readonly computeCell: (cell: Cell, source: Source, environment: Environment) => Value;
  /** Of control.ts. */
  readonly computeControl: (cell: Cell, source: ControlSource, environment: Environment) => Value;
  /** Of instantiate-list.ts. */
  readonly instantiateList: (source: ListSource, environment: Environment) => ListValue;
  /** Of merge-stubs.ts. */
  readonly mergeFields: (value: MapValue, environment: Environment) => MapValue;
  /** Of injected-fields.ts. */
  readonly injectedInPlaceOf: (cell: Cell) => Cell | undefined;
}

export const evaluate: Engine["evaluate"] = (expression, environment) =>
  environment.document.engine.evaluate(expression, environment);

export const evaluateShallow: Engine["evaluateShallow"] = (expression, environment) =>
  environment.document.engine.evaluateShallow(expression, environment);

export const computeCell: Engine["computeCell"] = (cell, source, environment) =>
  environment.document.engine.computeCell(cell, source, environment);

export const computeControl: Engine["computeControl"] = (cell, source, environment) =>
  environment.document.engine.computeControl(cell, source, environment);

export const instantiateList: Engine["instantiateList"] = (source, environment) =>
  environment.document.engine.instantiateList(source, environment);

export const mergeFields: Engine["mergeFields"] = (value, environment) =>
  environment.document.engine.mergeFields(value, environment);

export const injectedInPlaceOf: Engine["injectedInPlaceOf"] = (cell) =>
  cell.environment?.document.engine.injectedInPlaceOf(cell);
