import { describe, expect, it } from "@jest/globals";
import type { Installation } from "@landscaper/api";
import type { TemplateHost } from "@landscaper/blueprint";
import { installationOf } from "../../test/installations.ts";
import { renderAnswered } from "../rendering/render-answered.ts";
import type { ClusterCall } from "./cluster-call.ts";
import { createTemplateAnswers } from "./template-answers.ts";

const signal = new AbortController().signal;
const rootOf = (jobID: string) => installationOf({ name: "root", status: { jobID } });

/** Answers with the first argument and how many calls there have been. */
function scripted() {
  const asked: ClusterCall[] = [];
  const templateAnswers = createTemplateAnswers(async (call, { namespace }) => {
    asked.push(call);
    if (call.args[0] === "broken") throw new Error("no such account");
    return `${namespace}/${String(call.args[0])}#${asked.length}`;
  });
  // As a thread and the main thread do it together.
  const answers = {
    render: async <T>(job: Installation, render: (host: TemplateHost) => T, jobSignal: AbortSignal): Promise<T> =>
      await renderAnswered(render, {
        answers: new Map(templateAnswers.known(job)),
        ask: async (question) => await templateAnswers.answer(job, question, jobSignal),
      }),
    secretsOf: (job: Installation): readonly unknown[] => templateAnswers.known(job).map(([, answer]) => answer),
  };
  return { asked, answers };
}

const tokenOf = (host: TemplateHost, name: string): unknown =>
  host.functions?.getServiceAccountKubeconfig?.(name, "ns", 600, {});

describe("answers that templates wait for", () => {
  it("are asked for once each, in the order in which they are missed", async () => {
    const { asked, answers } = scripted();
    let renderings = 0;
    const render = (host: TemplateHost) => {
      renderings += 1;
      return [tokenOf(host, "a"), tokenOf(host, "b"), tokenOf(host, "a")];
    };
    expect(await answers.render(rootOf("1"), render, signal)).toEqual(["ns/a#1", "ns/b#2", "ns/a#1"]);
    expect([renderings, asked.map(({ args }) => args[0])]).toEqual([3, ["a", "b"]]);
  });

  it("are the same for every attempt of a job, and others for the next", async () => {
    const { answers } = scripted();
    const render = (host: TemplateHost) => tokenOf(host, "a");
    expect(await answers.render(rootOf("1"), render, signal)).toBe("ns/a#1");
    expect(await answers.render(rootOf("1"), render, signal)).toBe("ns/a#1");
    expect(answers.secretsOf(rootOf("1"))).toEqual(["ns/a#1"]);
    expect(await answers.render(rootOf("2"), render, signal)).toBe("ns/a#2");
    expect([answers.secretsOf(rootOf("1")), answers.secretsOf(rootOf("2"))]).toEqual([[], ["ns/a#2"]]);
  });

  it("tell functions and arguments apart", async () => {
    const { asked, answers } = scripted();
    const render = (host: TemplateHost) => [
      tokenOf(host, "a"),
      host.functions?.getServiceAccountKubeconfigWithExpirationTimestamp?.("a", "ns", 600, {}),
      host.functions?.getServiceAccountKubeconfig?.("a", "ns", 700, {}),
    ];
    await answers.render(rootOf("1"), render, signal);
    expect(asked).toHaveLength(3);
  });

  it("fail the rendering when there is none, and are asked for again", async () => {
    const { asked, answers } = scripted();
    const render = (host: TemplateHost) => tokenOf(host, "broken");
    await expect(answers.render(rootOf("1"), render, signal)).rejects.toThrow("no such account");
    await expect(answers.render(rootOf("1"), render, signal)).rejects.toThrow("no such account");
    expect(asked).toHaveLength(2);
  });

  it("have a limit", async () => {
    const { asked, answers } = scripted();
    const render = (host: TemplateHost) => Array.from({ length: 101 }, (_, i) => tokenOf(host, `a${i}`));
    await expect(answers.render(rootOf("1"), render, signal)).rejects.toThrow(
      "template function getServiceAccountKubeconfig: expected at most 100 different calls in one job, found more",
    );
    expect(asked).toHaveLength(100);
  });

  it("let other errors of a rendering pass", async () => {
    const { answers } = scripted();
    const render = () => {
      throw new Error("of the template");
    };
    await expect(answers.render(rootOf("1"), render, signal)).rejects.toThrow("of the template");
  });
});
