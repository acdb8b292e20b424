// Place, cause and remedy in the outputs after mistakes in Installations, their imports, Targets, blueprints and components.
import { expect, it } from "@jest/globals";
import { describeMistakes } from "../src/mistakes/describe-mistakes.ts";
import { mistakes } from "../src/mistakes/table/all.ts";
import { incomplete } from "../src/mistakes/table/incomplete.ts";

it("gives each mistake a title of its own, and lists no mistake as incomplete that is not made", () => {
  const titles = mistakes.map(({ title }) => title);
  expect(titles).toEqual([...new Set(titles)]);
  expect(Object.keys(incomplete).filter((title) => !titles.includes(title))).toEqual([]);
});

describeMistakes(["installations", "imports", "targets", "blueprints", "components"]);
