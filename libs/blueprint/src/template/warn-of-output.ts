import {
  findIgnoredFields,
  furtherDocument,
  warnOfIgnoredFields,
  type IgnoredField,
  type Warning,
} from "@landscaper/api";
import { hasFurtherContent } from "@landscaper/goyaml";
import type { RenderContext } from "../render-context.ts";

/** Reports warnings, except in a shadow rendering. */
export function warn({ onWarning, isShadow = false }: RenderContext, warnings: readonly Warning[]): void {
  if (onWarning === undefined || isShadow) return;
  for (const warning of warnings) onWarning(warning);
}

/** Reports unknown fields. */
export function warnOfFields(context: RenderContext, where: string, fields: readonly IgnoredField[]): void {
  warn(context, warnOfIgnoredFields(where, fields));
}

/** Tells if the rendered text of an execution goes on behind its first YAML document, which alone counts, as in the original. */
export function warnOfFurtherDocument(
  { onWarning, isShadow = false }: RenderContext,
  { where, rendered }: { readonly where: string; readonly rendered: string },
): void {
  if (onWarning === undefined || isShadow || !hasFurtherContent(rendered)) return;
  onWarning({
    reason: furtherDocument,
    message: `${where}: expected one YAML document, found more; only the first one counts`,
  });
}

/**
 * Tells of fields beside the one that is wanted of an execution and whose names are like it. Others are no mistake: templates keep there what they
 * compute with.
 */
export function warnOfOutput(
  context: RenderContext,
  { where, output, wanted }: { readonly where: string; readonly output: unknown; readonly wanted: string },
): void {
  warnOfFields(context, where, findMisspelt(output, wanted));
}

/** Returns the unknown fields of an output whose names are like the wanted one. */
export function findMisspelt(output: unknown, wanted: string): readonly IgnoredField[] {
  const unknown = findIgnoredFields({ properties: { [wanted]: {}, state: {} } }, output);
  return unknown.filter(({ nearest }) => nearest === wanted);
}
