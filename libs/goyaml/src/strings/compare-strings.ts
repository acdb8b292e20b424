/** Orders strings by their UTF-8 bytes, as Go does. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above U+FFFF and must sort after the rest of the plane.
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    if (xHigh === yHigh) return x - y;
    return xHigh ? 1 : -1;
  }
  return a.length - b.length;
}
