import { createBreather } from "@landscaper/controller-runtime";

const charactersPerTurn = 16_384;

/** Masks any number of texts, of which each is masked by itself; others get turns. */
export async function maskInTurns(
  texts: readonly string[],
  mask: (texts: readonly string[]) => readonly string[],
): Promise<string[]> {
  const breathe = createBreather();
  const masked: string[] = [];
  let part: string[] = [];
  let length = 0;
  for (const [index, text] of texts.entries()) {
    part.push(text);
    length += text.length;
    if (length < charactersPerTurn && index < texts.length - 1) continue;
    masked.push(...mask(part));
    part = [];
    length = 0;
    await breathe();
  }
  return masked;
}
