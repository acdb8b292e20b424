import { describe, expect, it } from "@jest/globals";
import type { PostRenderFields } from "@landscaper/api";
import { formatManifests, sortManifests, type SortedManifests } from "@landscaper/helm";
import { parseManifest } from "@landscaper/helm-release";
import { parseHelmConfig } from "../parse-helm-config.ts";
import { postRender } from "./post-render.ts";
import type { PostRender } from "./post-render-config.ts";

function parse(fields: unknown): PostRender {
  const { postRender: parsed } = parseHelmConfig(
    {
      apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderConfiguration",
      name: "app",
      namespace: "n",
      chart: { ref: "host/chart:1.0.0" },
      postRender: fields,
    },
    "spec.config",
  );
  if (parsed === undefined) throw new Error("nothing was parsed");
  return parsed;
}

const files: Readonly<Record<string, string>> = {
  "app/templates/web.yaml": `# as it was written
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: { app: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: main, image: "registry.example.org/web:1", env: [{ name: A, value: a }] }
`,
  "app/templates/maps.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: first } # kept
data:   { key: "1" }
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: second
data: { key: "2" }
`,
  "app/templates/list.yaml": `apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Secret, metadata: { name: one } }
  - { apiVersion: v1, kind: Secret, metadata: { name: two } }
`,
  "app/templates/cog.yaml": `apiVersion: example.org/v1
kind: Cog
metadata: { name: cog, namespace: other }
spec: { teeth: [1, 2], size: 3 }
`,
  "app/templates/hook.yaml": `apiVersion: batch/v1
kind: Job
metadata: { name: before, annotations: { helm.sh/hook: pre-install } }
spec: { template: { spec: { containers: [{ name: main, image: "registry.example.org/web:1" }] } } }
`,
};

const sorted = sortManifests(new Map(Object.entries(files)));
const rendered = textOf(sorted);

interface RenderedText extends Pick<SortedManifests, "hooks"> {
  readonly manifest: string;
}

function textOf({ manifests, hooks }: Pick<SortedManifests, "manifests" | "hooks">): RenderedText {
  return { manifest: formatManifests({ crds: [], manifests }), hooks };
}

function render(fields: PostRenderFields): RenderedText {
  return textOf(postRender(sorted, parse(fields), { namespace: "n" }));
}

/** What stands in the result and did not before, line by line. */
function newLines(fields: PostRenderFields): string[] {
  const { manifest, hooks } = render(fields);
  const before = new Set([rendered.manifest, ...rendered.hooks.map((hook) => hook.manifest)].join("\n").split("\n"));
  const after = [manifest, ...hooks.map((hook) => hook.manifest)].join("\n").split("\n");
  return after.filter((line) => !before.has(line)).map((line) => line.trim());
}

describe("without a change", () => {
  it.each<PostRenderFields>([{}, { images: [{ name: "other", newTag: "2" }], commonLabels: {}, patches: [] }])(
    "by %j everything stays as it is, byte for byte",
    (fields) => {
      expect(render(fields)).toEqual(rendered);
    },
  );

  it("documents stay that no patch is for", () => {
    const { manifest } = render({
      patches: [{ patch: "{ kind: ConfigMap, metadata: { name: second }, data: { key: x } }" }],
    });
    const rest = rendered.manifest.replace(
      /---\n# Source: app\/templates\/maps.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n {2}name: second[^-]*/,
      "",
    );
    expect(
      manifest.replace(/---\n# Source: app\/templates\/maps.yaml\napiVersion: v1\ndata:\n {2}key: x[^-]*/, ""),
    ).toBe(rest);
    expect(manifest).toContain('data:   { key: "1" }');
  });
});

describe("labels, annotations and images", () => {
  it("labels are those of objects and hooks, not of selectors and pods", () => {
    const { manifest, hooks } = render({ commonLabels: { team: "a" }, commonAnnotations: { note: "b" } });
    const all = [manifest, ...hooks.map((hook) => hook.manifest)].join("\n");
    expect(all.match(/team: a/g)).toHaveLength(7);
    expect(all.match(/note: b/g)).toHaveLength(7);
    expect(manifest).toContain(`spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:`);
  });

  it("images are replaced in objects and hooks", () => {
    const images = [{ name: "registry.example.org/web", newName: "mirror/web", newTag: "2" }];
    expect(newLines({ images }).filter((line) => line.includes("image:"))).toEqual([
      "image: mirror/web:2",
      "- image: mirror/web:2",
    ]);
  });
});

it("what is written anew means the same", async () => {
  const text = `apiVersion: v1
kind: Odd
metadata: { name: odd }
data: { a: 1.0, b: 0644, c: "0644", d: 12345678, e: 1e30, f: yes, g: "yes", h: null, i: "", j: ~, k: "1e3", l: [], m: {} }
text: |
  ---
  two documents
  ---
  in one
`;
  const path = "app/templates/odd.yaml";
  const manifest = `---\n# Source: ${path}\n${text}`;
  const made = { manifests: [{ path, content: text.trimEnd() }], hooks: [] };
  const { manifest: after } = textOf(postRender(made, parse({ commonLabels: { a: "b" } }), { namespace: "n" }));
  const [[before], [changed]] = [await parseManifest(manifest), await parseManifest(after)];
  expect(changed).toEqual({ ...before, metadata: { ...before?.metadata, labels: { a: "b" } } });
});

describe("patches", () => {
  const target = { kind: "Deployment" };
  it.each<[string, NonNullable<PostRenderFields["patches"]>[number], string[]]>([
    [
      "a strategic merge patch, whose lists are merged by their keys",
      {
        target,
        patch: { spec: { template: { spec: { containers: [{ name: "main", env: [{ name: "B", value: "b" }] }] } } } },
      },
      ["- name: B", "value: b"],
    ],
    [
      "a patch that names its object",
      { patch: "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: 3 }" },
      ["replicas: 3"],
    ],
    [
      "a patch with a target, whose own name has no meaning",
      { target, patch: { apiVersion: "v1", kind: "Pod", metadata: { name: "any" }, spec: { replicas: 3 } } },
      ["replicas: 3"],
    ],
    ["a JSON patch as YAML", { target, patch: "- op: add\n  path: /spec/replicas\n  value: 3" }, ["replicas: 3"]],
    [
      "a JSON patch as a list",
      { target, patch: [{ op: "replace", path: "/metadata/labels/app", value: "x" }] },
      ["app: x"],
    ],
    [
      "a merge patch of a custom kind, whose lists are replaced",
      { target: { group: "example.org", version: "v1" }, patch: { spec: { teeth: [9], size: null } } },
      ["- 9"],
    ],
    [
      "by regular expressions of the whole",
      { target: { kind: "ConfigMap", name: "f.*t" }, patch: { data: { key: "x" } } },
      ["key: x"],
    ],
    ["by namespace", { target: { namespace: "other" }, patch: { spec: { size: 4 } } }, ["size: 4"]],
    [
      "by the namespace of the release",
      { target: { namespace: "n", kind: "Deployment" }, patch: { spec: { replicas: 3 } } },
      ["replicas: 3"],
    ],
    [
      "by labels",
      { target: { labelSelector: "app in (web),!none" }, patch: { spec: { replicas: 3 } } },
      ["replicas: 3"],
    ],
    ["an item of a List", { target: { kind: "Secret", name: "two" }, patch: { type: "x" } }, ["type: x"]],
    ["a hook", { target: { kind: "Job" }, patch: { spec: { backoffLimit: 1 } } }, ["backoffLimit: 1"]],
  ])("%s", (_, patch, lines) => {
    const found = newLines({ patches: [patch] });
    expect(found.filter((line) => lines.includes(line))).toEqual(lines);
  });

  it("come one after the other, each to what the one before has left", () => {
    const patches = [
      { target, patch: { metadata: { labels: { step: "1" } } } },
      { target: { labelSelector: "step=1" }, patch: [{ op: "replace", path: "/metadata/labels/step", value: "2" }] },
    ];
    expect(newLines({ patches })).toContain('step: "2"');
  });

  it("take objects away", () => {
    const patches = [
      { target: { name: "first" }, patch: { $patch: "delete" } },
      { patch: "{ $patch: delete, apiVersion: v1, kind: Secret, metadata: { name: one } }" },
    ];
    const { manifest } = render({ patches });
    expect([/name: first/, /name: second/, /name: one/, /name: two/].map((name) => name.test(manifest))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it("may change what a hook is for, and make it an object like others", () => {
    const weight = { metadata: { annotations: { "helm.sh/hook": "post-install", "helm.sh/hook-weight": "5" } } };
    expect(render({ patches: [{ target: { kind: "Job" }, patch: weight }] }).hooks).toMatchObject([
      { name: "before", events: ["post-install"], weight: 5 },
    ]);
    const none = { metadata: { annotations: { "helm.sh/hook": null } } };
    const { manifest, hooks } = render({ patches: [{ target: { kind: "Job" }, patch: none }] });
    expect([manifest.includes("kind: Job"), hooks]).toEqual([true, []]);
  });

  it.each<[NonNullable<PostRenderFields["patches"]>[number], string]>([
    [
      { target: { kind: "Deployment", name: "wep" }, patch: {} },
      "postRender.patches[1]: matches no object of the chart: kind Deployment, name wep",
    ],
    [
      { patch: { apiVersion: "apps/v1beta1", kind: "Deployment", metadata: { name: "web" } } },
      "postRender.patches[1]: matches no object of the chart: group apps, version v1beta1, kind Deployment, name web",
    ],
    [{ target: { kind: "Deploy" }, patch: {} }, "postRender.patches[1]: matches no object of the chart: kind Deploy"],
    [
      { target, patch: [{ op: "test", path: "", value: {} }] },
      "postRender.patches[1].patch[0]: test  does not apply to Deployment web (app/templates/web.yaml): testing value  failed: test failed",
    ],
    [
      {
        target,
        patch: [
          { op: "add", path: "/spec/a", value: 1 },
          { op: "replace", path: "/spec/replica", value: 1 },
        ],
      },
      "postRender.patches[1].patch[1]: replace /spec/replica does not apply to Deployment web (app/templates/web.yaml): " +
        "there is nothing to replace",
    ],
    [
      { target, patch: [{ op: "remove", path: "/spec/template/spec/containers/4" }] },
      "postRender.patches[1].patch[0]: remove /spec/template/spec/containers/4 does not apply to Deployment web (app/templates/web.yaml): " +
        "error in remove for path: '/spec/template/spec/containers/4': Unable to access invalid index: 4: invalid index referenced",
    ],
    [
      { target, patch: [{ op: "remove", path: "/metadata/name" }] },
      "postRender.patches[1]: Deployment web (app/templates/web.yaml) is left without apiVersion, kind or metadata.name",
    ],
    [
      { target, patch: { spec: { template: { spec: { containers: [{ image: "x" }] } } } } },
      expect.stringContaining(
        "postRender.patches[1]: does not apply to Deployment web (app/templates/web.yaml): ",
      ) as unknown as string,
    ],
  ])("%j is refused by name", (patch, message) => {
    const fields = { patches: [{ target, patch: { spec: { replicas: 1 } } }, patch] };
    expect(() => render(fields)).toThrow(
      expect.objectContaining({ message, reason: "PostRenderingFailed", retry: "never" }),
    );
  });

  it("annotations stay texts", () => {
    const patch = { metadata: { annotations: { a: { b: "c" } } } };
    expect(() => render({ patches: [{ target, patch }] })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^postRender: what it has made is no manifest: /) }),
    );
  });

  it("copies of copies have an end", () => {
    const patch = Array.from({ length: 60 }, (_, index) => ({ op: "copy", from: "/spec", path: `/spec/copy${index}` }));
    expect(() => render({ patches: [{ target, patch }] })).toThrow(
      /^postRender\.patches\[0\]\.patch\[\d+\]: copy \/spec\/copy\d+ does not apply to Deployment web .*: the object is larger than 3145728 characters then$/,
    );
  });

  it("a hook needs events that there are", () => {
    const patch = { metadata: { annotations: { "helm.sh/hook": "never" } } };
    expect(() => render({ patches: [{ target: { kind: "Job" }, patch }] })).toThrow(
      'postRender: a hook has unknown events "never" after it',
    );
  });
});

describe("the configuration", () => {
  const target = { kind: "A" };
  it.each<[unknown, string]>([
    [{ commonLabel: {} }, "commonLabel: unknown field"],
    [{ commonLabels: { a: 1 } }, "commonLabels.a: expected a string, found a number"],
    [{ images: [{ newTag: "1" }] }, "images[0].name: required field is missing"],
    [{ images: [{ name: "a" }] }, "images[0]: expected newName, newTag or digest, found none of them"],
    [{ patches: [{ target }] }, "patches[0].patch: required field is missing"],
    [
      { patches: [{ target, patch: 1 }] },
      "patches[0].patch: expected an object or a list of operations, found a number",
    ],
    [
      { patches: [{ target, patch: "text" }] },
      "patches[0].patch: expected an object or a list of operations, found a string",
    ],
    [
      { patches: [{ target, patch: "a: [" }] },
      "patches[0].patch: expected YAML: line 2: did not find expected node content",
    ],
    [{ patches: [{ target, patch: "a: 1\n---\nb: 1" }] }, "patches[0].patch: expected one document, found several"],
    [
      { patches: [{ target, patch: Array.from({ length: 1001 }, () => 1) }] },
      "patches[0].patch: expected at most 1000 operations, found 1001",
    ],
    [
      { patches: Array.from({ length: 1001 }, () => ({ target, patch: {} })) },
      "patches: expected at most 1000 patches, found 1001",
    ],
    [
      { patches: Array.from({ length: 3 }, () => ({ target, patch: `a: ${"x".repeat(100_000)}` })) },
      "patches: expected at most 256 Ki characters of text, found more",
    ],
    [{ patches: [{ patch: [] }] }, "patches[0].target: required field is missing: a JSON patch names no object"],
    [
      { patches: [{ patch: { kind: "A" } }] },
      "patches[0].patch: expected kind and metadata.name of the object, or a target beside it",
    ],
    [{ patches: [{ target: {}, patch: {} }] }, "patches[0].target: expected at least one field, found an empty object"],
    [{ patches: [{ target: { nme: "a" }, patch: {} }] }, "patches[0].target.nme: unknown field"],
    [
      { patches: [{ target: { name: "(" }, patch: {} }] },
      "patches[0].target.name: expected a regular expression: error parsing regexp: missing closing ): `^(?:()$`",
    ],
    [
      { patches: [{ target: { labelSelector: "a b" }, patch: {} }] },
      'patches[0].target.labelSelector: expected labels such as app=web,tier in (a,b): label selector: "a b" is no requirement',
    ],
    [{ patches: [{ target, patch: [1] }] }, "patches[0].patch[0]: expected an operation, found a number"],
    [
      { patches: [{ target, patch: [{ op: "put" }] }] },
      'patches[0].patch[0].op: expected one of "add", "remove", "replace", "move", "copy", "test"',
    ],
    [
      { patches: [{ target, patch: [{ op: "add", path: "a" }] }] },
      "patches[0].patch[0].path: expected a path such as /spec/replicas, found no slash at its begin",
    ],
    [
      { patches: [{ target, patch: [{ op: "move", path: "/a" }] }] },
      "patches[0].patch[0].from: expected a path such as /spec/replicas, found none",
    ],
    [
      { patches: [{ target, patch: [{ op: "add", path: "/a" }] }] },
      "patches[0].patch[0].value: required field is missing",
    ],
  ])("%j is refused by name", (fields, problem) => {
    expect(() => parse(fields)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(`postRender.${problem}`) }),
    );
  });
});
