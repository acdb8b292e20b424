/** Whether lists and maps hold more values than `limit`, themselves included. Looks at no more than it has to. */
export function holdsMoreValues(value: unknown, limit: number): boolean {
  const open = [value];
  for (let count = 1; open.length > 0;) {
    const one = open.pop();
    if (typeof one !== "object" || one === null) continue;
    const members: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    count += members.length;
    if (count > limit) return true;
    for (const member of members) open.push(member);
  }
  return false;
}
