import type { UnstructuredObject } from "@landscaper/api";

/** A column of `kubectl get`, as in a Table's columnDefinitions. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority: number;
  readonly cell: (object: UnstructuredObject, now: number) => unknown;
}
