import * as fc from "fast-check";
import { oneText, repeated, text } from "../text-arbitrary.ts";
import { type HelmCommand, usualWords } from "./helm-command.ts";

// Rendered texts in which the versions of Helm differ: white space around documents, separators in every form, unknown kinds and webhooks.
const space = fc.oneof(
  { arbitrary: oneText("", "", "\n", "\n\n", "  \n", " \n\n", "\r\n"), weight: 40 },
  oneText(" \t\n", "\u00a0\n", "\u0085\n", "\f\n", "\v\n", "\u2028\n", "\ufeff"),
);
const kind = oneText(
  ..."Pod Job Secret Namespace Service Deployment CustomResourceDefinition APIService List PriorityClass".split(" "),
  ..."MutatingWebhookConfiguration ValidatingWebhookConfiguration ValidatingAdmissionPolicy Zebra Aardvark zebra".split(
    " ",
  ),
  "",
);
const hook = oneText("pre-install", "post-install,pre-upgrade", "test", "nope", "pre-delete", "", "nope,pre-install");
const annotations = fc.oneof(
  { arbitrary: oneText(""), weight: 4 },
  text`, annotations: {helm.sh/hook: "${hook}", helm.sh/hook-weight: "${oneText("1", "-1", "x")}"}`,
  text`, annotations: {helm.sh/resource-policy: ${oneText("keep", "x")}}`,
);
const tail = fc.oneof(
  { arbitrary: oneText(""), weight: 2 },
  text`text: ${oneText("|", "|+", "|-", ">", ">+", ">-")}\n  line\n${space}`,
  text`text: |\n  ${oneText("---", "a\n  ---", "---x", "--- #")}\n`,
  text`text: "a${oneText("\\n", "\n\n  b", "\n  ---")}"\n`,
);
const document = fc.oneof(
  {
    arbitrary: text`kind: ${kind}\nmetadata: {name: ${oneText("x", "y", "z")}${annotations}}\n${tail}${space}`,
    weight: 40,
  },
  { arbitrary: text`${space}# comment\n${space}`, weight: 4 },
  { arbitrary: space, weight: 6 },
  oneText("- a\n", "text", "{}\n", "null\n", "kind: [\n", "kind: 1\n", "%YAML 1.2\n", "kind: A\nkind: B\n", "\tx: 1\n"),
);
const separator = fc.oneof(
  { arbitrary: fc.constant("---\n"), weight: 20 },
  { arbitrary: oneText("---", "--- ", "---\n---\n", "\n---\n", "--- # comment\n", "---\t\n", "---\r\n"), weight: 20 },
  oneText(
    " ---\n",
    "----\n",
    "--- |\n",
    "---x: 1\n",
    "...\n",
    "\r---\r",
    "---\f",
    "---\v\n",
    "---\u00a0\n",
    "\u2028---\n",
    "--\n",
  ),
);
const rendered = fc
  .tuple(
    fc.oneof(oneText(""), separator),
    fc.array(fc.tuple(space, document, separator), { maxLength: 3 }),
    space,
    document,
  )
  .map(([start, some, before, last]) => `${start}${some.flat().join("")}${before}${last}`);
/** Actions that trim and add white space. */
const acted = fc.oneof(
  { arbitrary: rendered, weight: 4 },
  text`{{- if true }}${rendered}{{- end }}`,
  text`{{ "${space.map((each) => JSON.stringify(each).slice(1, -1))}" }}${rendered}{{ "\\n\\n" }}`,
  text`${rendered}{{ "---" }}${rendered}`,
);

const files = fc.record(
  {
    "chart/templates/a.yaml": acted,
    "chart/templates/b.yml": acted,
    "chart/templates/c.txt": acted,
    "chart/templates/NOTES.txt": rendered,
    "chart/crds/one.yaml": rendered,
    "chart/crds/two.yaml": rendered,
    "chart/charts/s/templates/a.yaml": acted,
    "chart/charts/s/crds/a.yaml": rendered,
  },
  { requiredKeys: ["chart/templates/a.yaml"] },
);
const flag = fc.constantFrom(
  ["--include-crds"],
  ["--include-crds"],
  ["--no-hooks"],
  ["--skip-tests"],
  ["-s", "templates/a.yaml"],
  ["-s", "templates/b.yml", "-s", "templates/a.yaml"],
  ["-s", "charts/s/templates/a.yaml"],
  ["-s", "crds/one.yaml", "--include-crds"],
  ["-s", "templates/*.yaml"],
);

/** Charts whose templates are text with white space and separators in any form. */
export const dialectTexts: fc.Arbitrary<HelmCommand> = fc
  .record({ texts: files, flags: fc.array(flag, { maxLength: 2 }), more: repeated(space, { min: 0, max: 2 }) })
  .map(({ texts, flags, more }) => ({
    files: {
      "chart/Chart.yaml": '{"apiVersion":"v2","name":"root","version":"1.2.3"}',
      "chart/charts/s/Chart.yaml": '{"apiVersion":"v2","name":"s","version":"1.2.3"}',
      ...Object.fromEntries(
        Object.entries(texts).flatMap(([path, content]) =>
          content === undefined ? [] : [[path, `${content}${more}`]],
        ),
      ),
    },
    words: [...usualWords, ...flags.flat()],
  }));
