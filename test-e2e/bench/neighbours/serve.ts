// The hostile servers of the bench `neighbours`, in a process of their own: what they send must not cost the one that measures. Ends with its parent.
import { createKubeconfig, findFreePorts } from "@landscaper/testkit";
import { bombs, drips, floods, largeIndex, largeList, neverAnswers, type LargeText } from "../../hostile/answers.ts";
import type { HostileServer } from "../../hostile/hostile-server.ts";
import { startBlackHole, startHostileServer } from "../../hostile/hostile-server.ts";
import { serverCounts, type ServedKind, type ServedPlace } from "./served.ts";

/** Whatever happens: nothing of the bench takes so long. */
const lifetimeMs = 30 * 60_000;
const bytes = 1.5 * 2 ** 30;
const yaml = { contentType: "text/yaml" };
/** The same text over and over costs nothing to make and to compress. */
const repeated = (text: LargeText): LargeText => ({
  ...text,
  filler: typeof text.filler === "function" ? text.filler(0) : (text.filler ?? " "),
});

/** A text whose entries differ, as its opening. */
function madeOnce({ bytes, opening = "", filler = " ", closing = "" }: LargeText): LargeText {
  let text = opening;
  for (let index = 0; text.length < bytes; index++) text += typeof filler === "function" ? filler(index) : filler;
  return { bytes: 0, opening: text, closing };
}

type Place = Pick<HostileServer, "url" | "kubeconfig">;

async function startRefused(): Promise<Place> {
  const [port = 1] = await findFreePorts(1);
  const url = `https://127.0.0.1:${port}`;
  return { url, kubeconfig: createKubeconfig({ name: "refused", server: url, user: { token: "refused" } }) };
}

const starters: Readonly<Record<ServedKind, () => Promise<Place>>> = {
  "black hole": startBlackHole,
  silent: () => startHostileServer({ answer: neverAnswers }),
  dripping: () => startHostileServer({ answer: drips(200) }),
  refused: startRefused,
  flooding: () => startHostileServer({ answer: floods(repeated(largeList(bytes))) }),
  bomb: () => startHostileServer({ answer: bombs(repeated(largeList(bytes))) }),
  "endless index": () => startHostileServer({ answer: floods(largeIndex(bytes), yaml), tls: false }),
  "bomb index": () => startHostileServer({ answer: bombs(repeated(largeIndex(bytes)), yaml), tls: false }),
  "large index": () => startHostileServer({ answer: floods(madeOnce(largeIndex(16 * 2 ** 20)), yaml), tls: false }),
};

process.on("disconnect", () => process.exit());
setTimeout(() => process.exit(), lifetimeMs).unref();
const places: ServedPlace[] = [];
// Object.entries knows keys as texts only.
for (const [kind, count] of Object.entries(serverCounts) as [ServedKind, number][]) {
  for (let index = 0; index < count; index++) {
    const { url, kubeconfig } = await starters[kind]();
    places.push({ kind, url, kubeconfig });
  }
}
process.send?.(places);
