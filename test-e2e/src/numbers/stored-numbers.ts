// A model of what API servers store of numbers, made without our readers: Go's strconv.ParseInt, ParseFloat and encoding/json.

const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The JSON text with each number as an API server writes it again. */
export function storedText(json: string): string {
  return json.replaceAll(tokens, (token) => (token.startsWith('"') ? token : storedNumber(token)));
}

/** An integer of 64 bits with sign keeps its digits; everything else is a float64, in the shortest form that reads as the same. */
export function storedNumber(token: string): string {
  if (/^-?\d+$/.test(token)) {
    const integer = BigInt(token);
    if (BigInt.asIntN(64, integer) === integer) return String(integer);
  }
  const float = Number(token);
  // Written as "-0", which is read as the integer 0.
  return float === 0 ? "0" : String(float);
}
