import { isHeldBack } from "@landscaper/api";
import type { Preview } from "@landscaper/deployer";

/** Adds to a preview why the job would be held back, if `check` throws such an error. Rethrows other errors. */
export async function withHeldBack(preview: Preview, check: () => Promise<void>): Promise<Preview> {
  try {
    await check();
    return preview;
  } catch (error) {
    if (!isHeldBack(error)) throw error;
    const { message, hint } = error;
    const heldBack = hint === undefined ? message : `${message}; ${hint}`;
    const summary = `held back; without the protection: ${preview.summary}`;
    const last = `${preview.summary}\n`;
    const lines = preview.text.endsWith(last) ? preview.text.slice(0, -last.length) : preview.text;
    return { ...preview, summary, text: `held back: ${heldBack}\n${lines}${summary}\n`, heldBack };
  }
}
