import { compileJsonPath } from "@landscaper/jsonpath";
import type { UnstructuredObject } from "@landscaper/api";
import { numberAt, stringAt } from "../objects/json.ts";
import { formatAge } from "../table/format-age.ts";
import { nameColumn } from "../table/make-table.ts";
import type { PrinterColumn } from "../table/printer-column.ts";

const creationDescription =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set " +
  "in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and " +
  "is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: " +
  "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** What a CRD without printer columns shows beside the name. */
const defaultColumn = {
  name: "Age",
  type: "date",
  description: creationDescription,
  jsonPath: ".metadata.creationTimestamp",
};

/** The columns of a custom resource: the name, then the CRD's additionalPrinterColumns. */
export function makeCrdColumns(additional: readonly unknown[]): readonly PrinterColumn[] {
  const columns = additional.length === 0 ? [defaultColumn] : additional;
  return [nameColumn, ...columns.map((column) => makeColumn(column))];
}

/** Models apiextensions-apiserver/pkg/registry/customresource/tableconvertor. */
function makeColumn(column: unknown): PrinterColumn {
  const type = stringAt(column, "type");
  const name = stringAt(column, "name");
  const path = compileJsonPath(stringAt(column, "jsonPath"), { allowMissingKeys: true });
  return {
    name,
    type,
    format: stringAt(column, "format"),
    description:
      stringAt(column, "description") ||
      `Custom resource definition column (in JSONPath format): ${stringAt(column, "jsonPath")}`,
    priority: numberAt(column, "priority") ?? 0,
    cell: (object, now) => formatCell(type, firstResult(path, object), now),
  };
}

function firstResult(path: ReturnType<typeof compileJsonPath>, object: UnstructuredObject): unknown {
  try {
    return path.evaluate(object)[0];
  } catch {
    // A path that meets a value of another shape finds nothing: the cell stays empty, as on the real server.
    return undefined;
  }
}

function integerOf(value: unknown): bigint | null {
  return typeof value === "bigint" ? value : null;
}

function formatCell(type: string, value: unknown, now: number): unknown {
  if (value === undefined || value === null) return null;
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : integerOf(value);
    case "number":
      return typeof value === "number" ? value : integerOf(value);
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "string":
      return typeof value === "string" ? value : JSON.stringify(value);
    case "date":
      if (typeof value !== "string") return null;
      return Number.isNaN(Date.parse(value)) ? "<invalid>" : formatAge(value, now);
    default:
      return null;
  }
}
