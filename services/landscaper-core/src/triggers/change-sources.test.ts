import { describe, expect, it } from "@jest/globals";
import { annotations, reconcilePolicyOnChange } from "@landscaper/api";
import { createFakeClock } from "@landscaper/testkit";
import { installationOf, listerOf, type InstallationState } from "../../test/installations.ts";
import { createChangeSources } from "./change-sources.ts";
import { createNewsBoard } from "./news-board.ts";

const onChange = { [annotations.reconcilePolicy]: reconcilePolicyOnChange };
/** Changed since its last job. */
const edited = { generation: 2, status: { observedGeneration: 1 } };

describe("an edited subinstallation", () => {
  it.each<readonly [string, readonly InstallationState[], readonly string[]]>([
    [
      "is news of its root",
      [
        { name: "root", annotations: onChange },
        { name: "middle", parent: "root" },
        { name: "leaf", parent: "middle" },
      ],
      ["root"],
    ],
    ["is no news of a root that does not listen", [{ name: "root" }, { name: "leaf", parent: "root" }], []],
    ["is no news when the parent is gone", [{ name: "leaf", parent: "root" }], []],
    ["that owns itself has no root", [{ name: "leaf", parent: "leaf" }], []],
    [
      "in a ring of owners has no root",
      [
        { name: "one", parent: "leaf" },
        { name: "two", parent: "one" },
        { name: "leaf", parent: "two" },
      ],
      [],
    ],
  ])("%s", (_name, states, want) => {
    const installations = states.map((state) => installationOf({ ...state, ...edited }));
    const informers = { installations: { lister: listerOf(installations) } };
    const clock = createFakeClock();
    const sources = createChangeSources({ informers: informers as never, news: createNewsBoard(), clock });
    const leaf = installations.at(-1) ?? installationOf({ name: "leaf" });
    expect(sources.noteInstallation(leaf).map(({ name }) => name)).toEqual(want);
  });
});
