import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programAbsence } from "@landscaper/testkit";
import { askOcm, type OcmAnswers } from "../../src/components/ask-ocm.ts";
import { constructorCases, questionOf, type ConstructorQuestion } from "../../src/components/constructor-cases.ts";
import { startConstructorWorld } from "../../src/components/constructor-world.ts";
import { buildOracle, oracleAbsence } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

const folder = join(import.meta.dirname, "../../testdata/ocm");
const name = "constructors.json";

export interface RecordedConstructor {
  readonly title: string;
  readonly question: ConstructorQuestion;
  readonly answers: OcmAnswers;
}

/** test-e2e/testdata/ocm: the components that ocm builds of our constructor files, and what ocm reads of the components that our command builds. */
export const ocmRecording: Recording = {
  name: "ocm",
  files: () => [name],
  count: () => constructorCases.length,
  absence: () => oracleAbsence("ocm") ?? programAbsence("docker-registry"),
  prepare: buildCommand,
  costly: () => ({ engine: "ocm", content: readFileSync(join(folder, name), "utf8") }),
  ask: async () => {
    const { program } = buildOracle("ocm", console.log);
    const recorded = new Map(readRecordedConstructors().map((one) => [one.title, one]));
    const world = await startConstructorWorld({ hasRegistry: true });
    try {
      const asked = [];
      for (const one of constructorCases) {
        const { title } = one;
        const answers = await askOcm(program, world, one);
        const entry: RecordedConstructor = { title, question: questionOf(one), answers };
        asked.push({ name: title, recorded: recorded.get(title), real: entry, entry });
      }
      return asked;
    } finally {
      await world.stop();
    }
  },
  write: (_, cases) => {
    const entries = cases.map(({ entry }) => entry);
    writeFileSync(join(folder, name), `${JSON.stringify(entries, undefined, 1)}\n`);
  },
};

/** The constructor world runs the built command. */
function buildCommand(): void {
  const root = join(import.meta.dirname, "../../..");
  execFileSync(process.execPath, ["scripts/bootstrap.mjs", "scripts/build.ts", "landscaper"], { cwd: root });
}

export function readRecordedConstructors(): readonly RecordedConstructor[] {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as readonly RecordedConstructor[]; // as `write` writes it
}
