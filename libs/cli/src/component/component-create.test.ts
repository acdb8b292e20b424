import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newFolder } from "@landscaper/components/testing";
import {
  startScriptedRegistry,
  startTestRegistry,
  type ScriptedRegistry,
  type TestRegistry,
} from "@landscaper/oci/testing";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { runProgram, type Outcome } from "../../test/program.ts";
import { packChart } from "./pack-chart.ts";

const folder = newFolder();
const file = (name: string): string => join(folder, name);
let charts: ScriptedRegistry;
let made = 0;

beforeAll(async () => {
  mkdirSync(file("chart"));
  writeFileSync(file("chart/Chart.yaml"), "apiVersion: v2\nname: web\nversion: 0.1.0\n");
  const { archive } = await packChart(file("chart"));
  writeFileSync(file("web.tgz"), archive);
  writeFileSync(file("web.tgz.prov"), "signed");
  charts = await startScriptedRegistry(({ url }, response) => {
    if (url === "/index.yaml") {
      response.end(JSON.stringify({ apiVersion: "v1", entries: { web: [{ version: "0.1.0", urls: ["web.tgz"] }] } }));
    } else if (url === "/web.tgz") response.end(archive);
    else response.writeHead(404).end();
  });
});
afterAll(async () => {
  await charts.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (words: readonly string[], environment: Record<string, string> = {}): Promise<Outcome> =>
  await runProgram(["component", ...words], { environment: { HOME: folder, ...environment } });

const header = "name: example.com/app\nversion: 1.0.0\nprovider: { name: example.com }\n";

interface Created extends Outcome {
  /** Repository and component. */
  readonly place: string;
}

async function create(
  constructor: string,
  words: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Created> {
  made += 1;
  const [path, ctf] = [file(`constructor${made}.yaml`), file(`out${made}`)];
  writeFileSync(path, constructor);
  const outcome = await run(["create", "--constructor", path, "-o", ctf, ...words], environment);
  const clean = (text: string): string => text.replaceAll(`${folder}/`, "F/").replaceAll(/(constructor|out)\d+/g, "$1");
  return { ...outcome, stderr: clean(outcome.stderr), place: `${ctf}//example.com/app` };
}

async function contentOf({ place }: Created, resource: string): Promise<string> {
  return (await run(["download", place, "--resource", resource, "-o", "-"])).stdout;
}

const note = (text: string): string =>
  `${header}resources: [{ name: note, type: plainText, input: { type: utf8, text: "${text}" } }]\n`;

it("landscaper component create --help describes input, output, version and overwrite without reference to other options", async () => {
  const { stdout } = await run(["create", "--help"]);
  const options = stdout.replaceAll(/\n {10,}/g, " ").split("\n");
  expect(options).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/--constructor <file> +constructor file; paths in it are relative to its folder$/),
      expect.stringMatching(/--ctf <folder> +output folder; created if missing$/),
      expect.stringMatching(/--version <version> +version of components without one$/),
      expect.stringMatching(/--overwrite +replace existing versions$/),
    ]),
  );
});

describe("landscaper component create with variables", () => {
  it("replaces them by those of words, settings files and the environment", async () => {
    writeFileSync(file("settings.yaml"), "SECOND: { a: 1 }\n");
    writeFileSync(file("settings.env"), "THIRD=env file\n");
    const text = "${FIRST} ${SECOND:1:3} ${THIRD} ${FOURTH} ${FIFTH:-default} $(FIRST) $${FIRST}";
    const words = ["--settings", file("settings.yaml"), "--settings", file("settings.env"), "--addenv", "FIRST=one"];
    const created = await create(note(text).replaceAll('"', "'"), words, { FOURTH: "of the environment" });
    expect(created).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await contentOf(created, "note")).toBe('one "a" env file of the environment default $(FIRST) ${FIRST}');
  });

  it("warns of those without a value, and leaves them with --templater none", async () => {
    const constructor = note("a${GONE}b");
    const created = await create(constructor);
    expect(created).toMatchObject({
      exitCode: 0,
      stderr:
        "warning: F/constructor.yaml: line 4, column 73: the variable GONE has no value, and becomes an empty text; give GONE=VALUE, --settings FILE or --addenv\n",
    });
    expect(await contentOf(created, "note")).toBe("ab");
    expect(await contentOf(await create(constructor, ["--templater", "none"]), "note")).toBe("a${GONE}b");
  });

  it("evaluates Go templates and spiff", async () => {
    const go = await create(note("{{ .NAME | upper }}"), ["--templater", "go", "NAME=web"]);
    expect(await contentOf(go, "note")).toBe("WEB");
    const spiff = await create(note("(( values.NAME ))"), ["--templater", "spiff", "NAME=web"]);
    expect(await contentOf(spiff, "note")).toBe("web");
  });

  it("evaluates spiff expressions inside text, and controls", async () => {
    const chosen = '{ <<if: (( values.NAME == "bob" )), <<then: one, <<else: other }';
    const text = header.replace("/app", "/(( values.PART ))").replace("1.0.0", "(( values.MAJOR )).0.0");
    const created = await create(
      `${text}resources: [{ name: note, type: plainText, input: { type: utf8, text: ${chosen} } }]\n`,
      ["--templater", "spiff", "PART=app", "MAJOR=2", "NAME=bob"],
    );
    expect(created).toMatchObject({ stdout: "created: component example.com/app:2.0.0\n", stderr: "" });
    expect(await contentOf(created, "note")).toBe("one");
  });

  it("uses --version for components without a version", async () => {
    const created = await create(note("x").replace("version: 1.0.0\n", ""), ["--version", "2.0.0"]);
    expect(created.stdout).toBe("created: component example.com/app:2.0.0\n");
  });

  it.each([
    [["--templater", "x"], '--templater: expected one of subst, none, go, spiff, found "x"'],
    [["name"], 'expected NAME=VALUE, found "name"; to pass the constructor file, use --constructor name'],
    [["--settings", "gone"], "--settings: cannot read gone (ENOENT). Correct the path"],
    [
      ["--settings", "/dev/zero"],
      "--settings: expected at most 67108864 bytes, found more in /dev/zero. Use a smaller file",
    ],
    [["--image", "name"], '--image: expected NAME=PATH, found "name"'],
  ])("refuses %j", async (words, message) => {
    const { stderr, exitCode } = await create(note("x"), words);
    expect({ stderr, exitCode }).toEqual({ stderr: `error: ${message}\n`, exitCode: expect.any(Number) });
  });

  it("refuses a template without quotes with its line, and without a warning of the YAML library", async () => {
    expect(await create(`${header}labels: [{ name: x, value: {{ .NAME }} }]\n`)).toMatchObject({
      exitCode: 1,
      stderr:
        "error: F/constructor.yaml: line 4: expected a text as the key of a map, found a map; put a text with braces, such as a template, in quotes\n",
    });
  });
});

it("landscaper component create reads plain scalars as ocm does, and merge keys", async () => {
  const labels = "labels: [{ name: answer, value: yes }, { name: flag, value: true }, { name: none, value: ~ }]\n";
  const base = "x-base: &base { type: plainText }\n";
  const created = await create(`${header}${labels}`);
  const { stdout } = await run(["get", created.place, "-o", "json"]);
  const document = JSON.parse(stdout) as { component: { labels: unknown } };
  expect(document.component.labels).toEqual([
    { name: "answer", value: "yes" },
    { name: "flag", value: true },
    { name: "none", value: null },
  ]);
  const input = "input: &input { type: utf8, text: a }";
  const merged = await create(
    `${header}resources:\n- { name: one, type: x, ${input} }\n- { name: two, type: x, input: { <<: *input, text: b } }\n`,
  );
  expect(await contentOf(merged, "two")).toBe("b");
  expect((await create(`${header}${base}`)).stderr).toBe(
    "error: F/constructor.yaml: not a valid component constructor: x-base: unknown field\n",
  );
});

it.each([
  ["out.tgz", "-czf"],
  ["out.tar", "-cf"],
  ["out.TAR.GZ", "-czf"],
])("landscaper component create refuses the folder %s", async (name, flags) => {
  writeFileSync(file("note.yaml"), note("x"));
  const path = file(name);
  const folderPath = file("out.ctf");
  expect(await run(["create", "--constructor", file("note.yaml"), "--ctf", path])).toMatchObject({
    exitCode: 1,
    stderr: `error: ${path}: expected the path of a folder, found that of an archive. Use ${folderPath}, and pack it: tar ${flags} ${path} -C ${folderPath} artifact-index.json blobs\n`,
  });
  expect(existsSync(path)).toBe(false);
  mkdirSync(path);
  expect(await run(["create", "--constructor", file("note.yaml"), "--ctf", path])).toMatchObject({ exitCode: 0 });
});

describe("landscaper component create with inputs", () => {
  it("evaluates spiff templates", async () => {
    writeFileSync(file("template.yaml"), "name: (( values.NAME ))\ncount: (( inputvalues.count ))\nlib: (( merge ))\n");
    writeFileSync(file("library.yaml"), "lib: { a: 1 }\n");
    const input = "{ type: spiff, path: template.yaml, values: { count: 2 }, libraries: [library.yaml] }";
    const created = await create(`${header}resources: [{ name: made, type: yaml, input: ${input} }]\n`, ["NAME=web"]);
    expect(created.stderr).toBe("");
    expect(await contentOf(created, "made")).toBe("count: 2\nlib:\n  a: 1\nname: web\n");
  });

  it.each([
    ["a: (( gone ))\n", "unresolved nodes:\n\t(( gone ))\tin bad.yaml\ta\t()\t*'gone' not found\n"],
    [
      "n: 1\n",
      "error parsing template [bad.yaml]: yaml: map key must be a string: false at line 1, column 1. YAML reads the keys y, n, yes, no, on, off, true and false as booleans: put a key in quotes\n",
    ],
  ])("names constructor file, resource and template of the failing spiff template %j", async (template, problem) => {
    writeFileSync(file("bad.yaml"), template);
    const resource = "{ name: made, type: yaml, input: { type: spiff, path: bad.yaml } }";
    expect(await create(`${header}resources: [${resource}]\n`)).toMatchObject({
      exitCode: 1,
      stderr: `error: F/constructor.yaml: resources[0] "made": input: bad.yaml: ${problem}`,
    });
  });

  it.each([
    ["--constructor", []],
    ["--settings", ["--settings", file("latin.txt")]],
  ])("refuses a file of %s that is not UTF-8", async (flag, words) => {
    writeFileSync(file("latin.txt"), Buffer.from("NAME=caf\u00e9\n", "latin1"));
    const path = flag === "--constructor" ? file("latin.txt") : file("note.yaml");
    writeFileSync(file("note.yaml"), note("x"));
    const outcome = await run(["create", "--constructor", path, "--ctf", file("latin"), ...words]);
    expect(outcome).toMatchObject({ exitCode: 2 });
    expect(outcome.stderr).toContain(
      `${flag}: expected text in UTF-8, found other bytes in ${file("latin.txt")}. Save the file as UTF-8`,
    );
  });

  it("evaluates expressions inside text, controls and absent values in spiff templates", async () => {
    writeFileSync(
      file("features.yaml"),
      'text: hello (( values.NAME )) !\nchosen: { <<if: (( values.NAME == "bob" )), <<then: one, <<else: other }\ninput: (( inputvalues || "none" ))\n',
    );
    const input = "{ type: spiff, path: features.yaml }";
    const created = await create(`${header}resources: [{ name: made, type: yaml, input: ${input} }]\n`, ["NAME=bob"]);
    expect(created.stderr).toBe("");
    expect(await contentOf(created, "made")).toBe("chosen: one\ninput: none\ntext: hello bob !\n");
  });

  it("packs a chart with its provenance, and charts of repositories on loopback", async () => {
    const resources = [
      "{ name: packed, type: helmChart, input: { type: helm, path: web.tgz } }",
      `{ name: fetched, type: helmChart, input: { type: Helm/v1, helmRepository: "${charts.origin}", path: web, version: 0.1.0 } }`,
      `{ name: direct, type: helmChart, input: { type: helm, helmRepository: "${charts.origin}/web.tgz" } }`,
      `{ name: url, type: blob, input: { type: wget, url: "${charts.origin}/web.tgz" } }`,
    ];
    const created = await create(`${header}resources:\n${resources.map((one) => `- ${one}\n`).join("")}`);
    expect(created).toMatchObject({ exitCode: 0, stderr: "" });
    const { stdout } = await run(["get", created.place, "-o", "json"]);
    expect(stdout.match(/"referenceName": ".*"/g)).toEqual(
      Array(3).fill('"referenceName": "example.com/app/web:0.1.0"'),
    );
    for (const resource of ["packed", "fetched", "direct"]) {
      const target = file(`unpacked-${resource}`);
      await run(["download", created.place, "--resource", resource, "-o", target, "--unpack"]);
      expect(readFileSync(join(target, "web/Chart.yaml"), "utf8")).toContain("name: web");
    }
    await run(["download", created.place, "--resource", "packed", "-o", file("packed.tgz")]);
    await run(["download", created.place, "--resource", "url", "-o", file("url.tgz")]);
    expect(readFileSync(file("url.tgz"))).toEqual(readFileSync(file("web.tgz")));
  });

  it.each([
    ["chart/Chart.yaml", "gzip: invalid header"],
    [".", "Chart.yaml file is missing"],
  ])("says that %s is not a chart", async (path, problem) => {
    const input = `{ type: helm, path: ${path} }`;
    const { stderr } = await create(`${header}resources: [{ name: chart, type: helmChart, input: ${input} }]\n`);
    expect(stderr).toBe(
      `error: F/constructor.yaml: resources[0] "chart": input: path: ${join(folder, path)}: expected a Helm chart, found: ${problem}\n`.replace(
        `${folder}/`,
        "F/",
      ),
    );
  });

  it("says where content cannot be fetched", async () => {
    const input = `{ type: wget, url: "${charts.origin}/gone" }`;
    expect(await create(`${header}resources: [{ name: url, type: blob, input: ${input} }]\n`)).toMatchObject({
      exitCode: 1,
      stderr: `error: F/constructor.yaml: resources[0] "url": input: ${charts.origin}/gone: not found (404)\n`,
    });
  });
});

describe("resources of one name", () => {
  it("are selected by version and extra identity", async () => {
    const resources = ["1.0.0", "2.0.0"].flatMap((version) =>
      ["de", "en"].map(
        (language) =>
          `- { name: note, version: ${version}, extraIdentity: { language: ${language} }, type: plainText, input: { type: utf8, text: ${language}-${version} } }\n`,
      ),
    );
    const created = await create(`${header}resources:\n${resources.join("")}`);
    expect(await contentOf(created, "note,version=2.0.0,language=de")).toBe("de-2.0.0");
    const several = await run(["download", created.place, "--resource", "note,version=2.0.0", "-o", "-"]);
    expect(several.stderr).toBe(
      "error: component example.com/app:1.0.0: expected one resource note,version=2.0.0, found 2; " +
        "there are: note,language=de,version=2.0.0; note,language=en,version=2.0.0\n",
    );
    const listed = await run(["resources", created.place, "--resource", "note,language=en"]);
    expect(listed.stdout.split("\n").map((line) => line.split(" ")[0])).toEqual([
      "NAME",
      "note,language=en,version=1.0.0",
      "note,language=en,version=2.0.0",
      "",
    ]);
    const none = await run(["resources", created.place, "--resource", "note,language=fr"]);
    expect(none).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        "component example.com/app:1.0.0 has no resource note,language=fr. Its resources: note,language=de,version=1.0.0;",
      ),
    });
  });

  it("adds an index to resources with equal name and version, with a warning", async () => {
    const two = ["a", "b"].map((text) => `- { name: note, type: plainText, input: { type: utf8, text: ${text} } }\n`);
    const created = await create(`${header}resources:\n${two.join("")}`);
    expect(created.stderr).toBe(
      'warning: F/constructor.yaml: resources: [0] and [1] are named "note" and have the same version and extraIdentity. ' +
        'They get extraIdentity.index "1" to "2"; give them different names, versions or extraIdentity\n',
    );
    expect(await contentOf(created, "note,index=2")).toBe("b");
  });
});

describeUnless(programAbsence("docker-registry"), describe)("landscaper component create with a registry", () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startTestRegistry();
  });
  afterAll(async () => await registry.stop());

  it("packs artifacts of the registry, and copies name the registry as their last repository", async () => {
    const chart =
      "resources: [{ name: chart, type: helmChart, input: { type: helm, path: chart, repository: /charts/web } }]\n";
    const created = await create(`${header}${chart}`);
    const target = `http://${registry.host}/team`;
    await run(["push", created.place, target, "--copy-resources"]);
    const pushed = await run(["get", `${target}//example.com/app`]);
    expect(pushed.stdout).toContain(
      [
        "  repositoryContexts:",
        `    - baseUrl: http://${registry.host}`,
        "      componentNameMapping: urlPath",
        "      subPath: team",
        "      type: OCIRegistry",
        "  resources:",
      ].join("\n"),
    );
    // The version is there already; a copy of the copy has one context more.
    const again = await run(["push", created.place, target]);
    expect(again.stdout).toBe("there already: component example.com/app:1.0.0\n");
    await run(["push", `${target}//example.com/app`, `http://${registry.host}/other`]);
    const other = await run(["get", `http://${registry.host}/other//example.com/app`]);
    expect(other.stdout.match(/subPath: .*/g)).toEqual(["subPath: team", "subPath: other"]);

    const input = `{ type: ociArtifact/v1, path: "http://${registry.host}/team/charts/web:0.1.0" }`;
    const packed = await create(`${header}resources: [{ name: web, type: helmChart, input: ${input} }]\n`);
    expect(packed.stderr).toBe("");
    await run(["download", packed.place, "--resource", "web", "-o", file("of-registry"), "--unpack"]);
    expect(readFileSync(file("of-registry/web/Chart.yaml"), "utf8")).toContain("name: web");
  });
});
