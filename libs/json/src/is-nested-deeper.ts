/**
 * Whether lists and maps are nested more than `levels` deep; true for a value that contains itself. Callers use it before recursive code, which
 * overflows the stack at some hundred levels.
 */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}
