// One-line templates that LANDSCAPER_SAMPLES hands over. Our own templates, with what Helm makes of them, are tested in libs/helm.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { mapFromPlain } from "@landscaper/golang";
import { TemplateError } from "@landscaper/gotemplate";
import { chartScope, releaseScope, renderTemplates } from "@landscaper/helm";
import { samplePath } from "../../src/examples/sample-folder.ts";

interface Sample {
  readonly tpl: string;
  readonly out?: string;
  readonly err?: string;
}

const folder = samplePath("templates");
const lines = readFileSync(join(folder, "snippets.jsonl"), "utf8").trimEnd().split("\n");
const samples = lines.map((line) => JSON.parse(line) as Sample); // its README says so
const values = JSON.parse(readFileSync(join(folder, "data.json"), "utf8")) as Record<string, unknown>;

/** As the file templates/a.yaml of the chart that the README names. */
function render(text: string): Pick<Sample, "out" | "err"> {
  const metadata = { name: "t", version: "1.2.3", appVersion: "v9", apiVersion: "v2" };
  const release = releaseScope({ name: "rel", namespace: "ns" }, { kubeVersion: "v1.35.0" });
  const scope = chartScope({ metadata, isRoot: true, values: mapFromPlain(values) }, release);
  const name = "t/templates/a.yaml";
  try {
    const rendered = renderTemplates([{ name, text, basePath: "t/templates", scope }], {
      now: () => new Date(),
      random: (bytes) => randomBytes(bytes),
    });
    return { out: rendered.get(name) ?? "" };
  } catch (error) {
    if (error instanceof TemplateError) return { err: error.message };
    throw error;
  }
}

describe("templates are rendered as Helm renders them", () => {
  it.each(samples.map((sample, at) => [`${at + 1}: ${sample.tpl}`, sample] as const))("%s", (_, { tpl, out, err }) => {
    expect(render(tpl)).toEqual(err === undefined ? { out } : { err });
  });
});
