import { runOurs } from "@landscaper/gotemplate/testing";
import { askGoTemplates } from "../../oracles/gotemplate/recording.ts";
import { goTemplateCase, type GoTemplateCase } from "./go-templates.ts";
import type { FuzzTarget } from "./run-fuzz.ts";

/** Both give up on endless recursion, at other depths. */
const ourDepth = /budget exceeded: templates nested deeper than \d+/;
const goDepth = "exceeded maximum template depth (100000)";

/** Go's text/template with sprig beside libs/gotemplate: outputs and error texts. */
export const goTemplateTarget: FuzzTarget<GoTemplateCase> = {
  cases: goTemplateCase,
  compare: (cases) => {
    const answers = askGoTemplates(cases);
    return cases.map((item, index) => {
      const answer = answers[index];
      const ourResult = ourAnswer(item);
      const real = JSON.stringify(answer);
      const ours = JSON.stringify(ourResult).replace(ourDepth, goDepth);
      // What kills Go, or is too much for the limits that it has not, is an ordinary error here.
      const isLimited = answer?.crashed === true || ours.includes("budget exceeded: ");
      const isSame = isLimited ? "error" in ourResult : real === ours;
      return isSame ? undefined : `${JSON.stringify(item, undefined, 1)}\nGo:   ${real}\nours: ${ours}`;
    });
  },
};

function ourAnswer(item: GoTemplateCase): object {
  try {
    return runOurs(item);
  } catch (error) {
    return { crash: error instanceof Error ? error.stack : String(error) };
  }
}
