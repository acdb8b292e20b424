import { describe, expect, it } from "@jest/globals";
import { LandscaperError, perturbAt } from "@landscaper/api";
import { maskingFailure } from "./masking-failure.ts";

const given = { password: "correct-horse", color: "orange" };
const place = "chart app: template: app/templates/a.yaml:1:3: executing";

function fail(message: string, reason = "ChartRenderingFailed"): never {
  throw new LandscaperError({ message, reason, retry: "never" });
}

async function failureOf(render: (values: typeof given) => void, secretPaths?: readonly string[]): Promise<unknown> {
  const { signal } = new AbortController();
  const values = (paths: readonly string[] = []): typeof given => perturbAt(given, paths) as typeof given;
  const run = maskingFailure(secretPaths ?? [], async (perturbedAt) => render(values(perturbedAt)), signal);
  return await run.then(
    () => "it did not fail",
    (error: unknown) => (error instanceof LandscaperError ? error.message : error),
  );
}

describe("a chart that fails", () => {
  const failing = ({ password, color }: typeof given): never =>
    fail(`${place}: error calling fail: no ${password.toUpperCase()} with ${color}`);

  it("tells what is not secret, and nothing that derives from a secret", async () => {
    expect(await failureOf(failing, ["/password"])).toBe(`${place}: error calling fail: no [...] with orange`);
  });

  it("is compared in Helm's form as well", async () => {
    const helm = "chart app: execution error at (app/templates/a.yaml:1:3): ";
    const run = ({ password }: typeof given): never => fail(`${helm}cannot use ${password}`);
    expect(await failureOf(run, ["/password"])).toBe(`${helm}cannot use [...]`);
    const once = (values: typeof given): void => {
      if (values.password === given.password) run(values);
    };
    expect(await failureOf(once, ["/password"])).toBe(`${helm}[...]`);
  });

  it("tells all where nothing is secret", async () => {
    expect(await failureOf(failing)).toBe(`${place}: error calling fail: no CORRECT-HORSE with orange`);
  });

  it("tells function and place when it does not fail with other values", async () => {
    const onlyThen = (values: typeof given): void => {
      if (values.password === given.password) failing(values);
    };
    expect(await failureOf(onlyThen, ["/password"])).toBe(`${place}: error calling fail: [...]`);
    const schema = ({ password }: typeof given): void => {
      if (password === given.password) fail(`chart app: "${password}" is not allowed`, "InvalidChart");
    };
    expect(await failureOf(schema, ["/password"])).toBe('chart app: "[...]" is not allowed');
  });

  it("is not tried again for failures that quote nothing", async () => {
    let count = 0;
    const render = (): void => {
      count++;
      fail("unreachable", "TargetUnreachable");
    };
    expect([await failureOf(render, [""]), count]).toEqual(["unreachable", 1]);
  });
});
