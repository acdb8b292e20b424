import { InvocationError } from "../../usage-error.ts";
import { runHelmCommand } from "../helm-command.ts";
import { runTemplate } from "./run-template.ts";
import { parseTemplateWords, refusalOf } from "./template-flags.ts";

/** `landscaper helm template`. */
export const runTemplateCommand = runHelmCommand({
  parse: parseTemplateWords,
  run: async (parsed, context) => {
    const refusal = refusalOf(parsed);
    if (refusal !== undefined) throw new InvocationError(refusal);
    await runTemplate(parsed, context);
  },
});
