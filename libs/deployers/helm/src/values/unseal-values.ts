import { LandscaperError, mapTexts } from "@landscaper/api";
import { hasSealedToken, type PreviewContext, type Unsealed } from "@landscaper/deployer";
import type { HelmConfig } from "../helm-config.ts";

/** Opens the tokens in a text that are sealed for this process (docs/reference/deployer-management.md#sealed-tokens). */
export type Unseal = (text: string, signal: AbortSignal) => Promise<Unsealed>;

/**
 * The context with the sealed tokens of `values` opened, which stand in no failure, log or plan. Throws LandscaperError (TokenSealed) for a
 * token that cannot be opened: a chart could do nothing with it. The same context where there are none.
 */
export async function unsealValues<Context extends PreviewContext<HelmConfig>>(
  context: Context,
  unseal: Unseal | undefined,
): Promise<Context> {
  const { config, signal } = context;
  if (unseal === undefined) return context;
  const sealed = new Set<string>();
  mapTexts(config.values, (text) => {
    if (hasSealedToken(text)) sealed.add(text);
    return text;
  });
  if (sealed.size === 0) return context;
  const opened = new Map<string, string>();
  const secrets = [...config.secrets];
  for (const text of sealed) {
    const unsealed = await unseal(text, signal);
    if (hasSealedToken(unsealed.text)) throw notOpened();
    opened.set(text, unsealed.text);
    secrets.push(unsealed.text, ...unsealed.secrets);
  }
  const open = <T>(values: T): T => mapTexts(values, (text) => opened.get(text) ?? text);
  const changed: HelmConfig = { ...config, values: open(config.values), given: open(config.given), secrets };
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(context), config: { value: changed, enumerable: true } },
  ) as Context; // the same members
}

function notOpened(): LandscaperError {
  return new LandscaperError({
    message: "values: a token is sealed for another key than that of this process",
    reason: "TokenSealed",
    hint: "the core seals tokens anew when the Environment has another sealingKey; only the agent of the Environment opens them",
  });
}
