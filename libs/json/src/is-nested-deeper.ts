/** Whether lists and maps are nested in more than `levels` levels: true for a value that contains itself. Recursive code overflows the stack at some hundred levels. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}
