/** Whether a subject filter of NATS matches everything that the other one matches. */
export function covers(filter: string, other: string): boolean {
  const tokens = filter.split(".");
  const others = other.split(".");
  for (const [index, token] of tokens.entries()) {
    const wanted = others[index];
    if (token === ">") return wanted !== undefined;
    if (wanted === undefined || wanted === ">") return false;
    if (token !== "*" && token !== wanted) return false;
  }
  return tokens.length === others.length;
}
