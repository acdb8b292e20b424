/** As many bytes as a manager's name may have. */
export const maxManagerBytes = 128;

/** Who writes, when a request names no manager: its user agent up to the first slash. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  if (fieldManager !== "") return fieldManager;
  const agent = userAgent ?? "";
  const known = knownAgents.get(agent);
  if (known !== undefined) return known;
  const name = managerOfAgent(agent);
  if (knownAgents.size < maxKnownAgents) knownAgents.set(agent, name);
  return name;
}

/** A few clients send all requests. */
const knownAgents = new Map<string, string>();
const maxKnownAgents = 1000;

function managerOfAgent(userAgent: string): string {
  let kept = "";
  for (const character of userAgent.split("/")[0] ?? "") {
    if (Buffer.byteLength(kept + character) > maxManagerBytes) break;
    if (isPrintable(character)) kept += character;
  }
  return kept === "" ? "unknown" : kept;
}

/** As Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrintable(character: string): boolean {
  return character === " " || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character);
}
