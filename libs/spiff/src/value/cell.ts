import type { Source } from "../document/source.ts";
import type { Environment } from "../evaluate/environment.ts";
import type { Failure } from "../evaluate/failure.ts";
import type { Markers } from "../document/markers.ts";
import type { TemplateValue, Value } from "./value.ts";

/** One node of a document, evaluated when it is needed, or one entry of a value. */
export class Cell {
  state: "new" | "running" | "done" | "failed";
  value: Value;
  failure: Failure | undefined;
  markers: Markers | undefined;
  /** Of a node marked &dynamic: what the documents behind evaluate again. */
  dynamic: TemplateValue | undefined;
  /** A merge of its expression found its value: stubs change it no further. */
  hasMerged: boolean;
  /** A farther stub has added it to the stub: it is no default any more. */
  wasInjected: boolean;
  /** A farther stub has given its value, also that of a merge that fails. */
  isReplaced: boolean;
  /** A field or entry that a default holds: it does not override, either. */
  isOfDefault: boolean;
  /** A control that has no branch for its value. */
  isAbsent: boolean;
  /** What is to be evaluated and where; absent on entries of values. */
  readonly source: Source | undefined;
  /** May change before evaluation: beside an insertion, it is known when that is evaluated. */
  environment: Environment | undefined;

  constructor(value: Value, task?: { readonly source: Source; readonly environment: Environment }) {
    this.state = task === undefined ? "done" : "new";
    this.value = value;
    this.failure = undefined;
    this.dynamic = undefined;
    this.hasMerged = false;
    this.wasInjected = false;
    this.isReplaced = false;
    this.isOfDefault = false;
    this.isAbsent = false;
    this.markers = task?.source.markers;
    this.source = task?.source;
    this.environment = task?.environment;
  }
}
