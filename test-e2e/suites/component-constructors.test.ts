// Every type of input and access, built by our command. The recording says what the real ocm builds of the same constructor files, and what it reads of ours;
// OCM_CLI names another ocm that answers the same questions.
import { writeFileSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openFileRepository, type ComponentVersion } from "@landscaper/components";
import { readBounded } from "@landscaper/oci";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { readRecordedConstructors } from "../oracles/ocm/recording.ts";
import { askOcm, buildOurs, type OcmAnswers } from "../src/components/ask-ocm.ts";
import { comparableComponent } from "../src/components/comparable-component.ts";
import {
  caseComponent,
  constructorCases,
  questionOf,
  type ConstructorCase,
} from "../src/components/constructor-cases.ts";
import { startConstructorWorld, type ConstructorWorld } from "../src/components/constructor-world.ts";
import { readableContent } from "../src/components/readable-content.ts";

const ocm = process.env["OCM_CLI"] ?? "";
const { signal } = new AbortController();
const missing = programAbsence("docker-registry");
const offline = constructorCases.filter(({ needs }) => needs === undefined);
const online = constructorCases.filter(({ needs }) => needs === "registry");
const recorded = readRecordedConstructors();
let world: ConstructorWorld;

beforeAll(async () => {
  world = await startConstructorWorld({ hasRegistry: missing === undefined });
});
afterAll(async () => await world?.stop());

async function readIn<T>(ctf: string, read: (found: ComponentVersion) => Promise<T>): Promise<T> {
  const repository = await openFileRepository(world.file(ctf));
  try {
    const found = await repository.find(caseComponent, { signal });
    if (found === undefined) throw new Error(`${ctf} has no component`);
    return await read(found);
  } finally {
    await repository.close();
  }
}

async function checkOurs(one: ConstructorCase): Promise<void> {
  const ctf = await buildOurs(world, one);
  await readIn(ctf, async ({ descriptor, findLocal }) => {
    const [resource] = descriptor.resources;
    const isOfResource = ["access", "version", "digest"].some((field) => field in one.want);
    expect(isOfResource ? resource : descriptor).toMatchObject(one.want);
    if (one.content === undefined) return;
    const content = await findLocal(String(Reflect.get(resource?.access ?? {}, "localReference")));
    const bytes = await readBounded(content.stream({ signal }), { limit: 1_000_000, place: one.title });
    expect(await readableContent(Buffer.from(bytes))).toEqual(one.content);
  });
  const answers = recorded.find(({ title }) => title === one.title)?.answers;
  if (answers === undefined) throw new Error(`the recording has no case "${one.title}": npm run record -- ocm`);
  await compareWithOcm(ctf, one, answers);
}

/** A mark of a difference fails as soon as ocm agrees with us. */
async function compareWithOcm(
  ctf: string,
  { ocm: difference }: ConstructorCase,
  { built, read }: OcmAnswers,
): Promise<void> {
  const ours = await comparableComponent(world.file(ctf), caseComponent);
  expect(read).toEqual(ours);
  if (difference === undefined) expect(built).toEqual(ours);
  else if ("refuses" in difference) expect(built).toEqual({ refusal: expect.stringContaining(difference.refuses) });
  else {
    expect(built).toMatchObject({ descriptor: { resources: difference.builds } });
    expect(built).not.toEqual(ours);
  }
}

describe("component create builds, and ocm builds the same and reads ours:", () => {
  it.each([...offline])("$title", checkOurs);
});
describeUnless(missing, describe)(
  "component create builds with a registry on loopback, and ocm builds the same and reads ours:",
  () => {
    it.each([...online])("$title", checkOurs);
  },
);

it("the recording of ocm has these cases; otherwise run npm run record -- ocm", () => {
  const questions = recorded.map(({ title, question }) => ({ title, question }));
  expect(questions).toEqual(constructorCases.map((one) => ({ title: one.title, question: questionOf(one) })));
});

it("the comparison with ocm sees content that is not compressed", async () => {
  const contents: unknown[] = [];
  for (const provenance of ["one", "other"]) {
    writeFileSync(world.file("web-0.1.0.tgz.prov"), provenance);
    const ctf = await buildOurs(world, {
      title: provenance,
      text: "resources: [{ name: one, type: blob, input: { type: helm, path: web-0.1.0.tgz } }]\n",
      want: {},
    });
    contents.push(await comparableComponent(world.file(ctf), caseComponent));
  }
  rmSync(world.file("web-0.1.0.tgz.prov"));
  expect(contents[0]).not.toEqual(contents[1]);
});

/** The marks are of the recorded ocm: another version may agree where they say that it differs. */
async function askAnother(one: ConstructorCase): Promise<void> {
  await compareWithOcm(await buildOurs(world, one), one, await askOcm(ocm, world, one));
}

describeUnless(ocm === "" ? "OCM_CLI names no ocm command" : undefined, describe)(
  "the ocm of OCM_CLI builds the same, and reads ours:",
  () => {
    it.each([...offline])("$title", askAnother);
    describeUnless(missing, describe)("with a registry on loopback", () => {
      it.each([...online])("$title", askAnother);
    });
  },
);
