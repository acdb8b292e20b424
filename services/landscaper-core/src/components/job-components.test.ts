import { describe, expect, it } from "@jest/globals";
import { apiVersion, type Context, type Installation } from "@landscaper/api";
import { keyOfRequest, type ComponentRequest, type ComponentSource } from "@landscaper/components";
import { connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import { createJobComponents, type JobComponentsOptions } from "./job-components.ts";

const { signal } = new AbortController();
/** Nothing of these Contexts needs an API server; whoever asks one all the same fails. */
const client = createClient({
  connection: connectionFromKubeconfig(
    "{apiVersion: v1, kind: Config, current-context: a, contexts: [{name: a, context: {cluster: a, user: a}}], clusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}], users: [{name: a, user: {}}]}",
  ),
  userAgent: "test",
});

const registry = (host: string) => ({ type: "OCIRegistry", baseUrl: host });

function installationOf(uid: string, jobID: string, generation = 1): Installation {
  const componentDescriptor = { ref: { componentName: "example.com/app", version: "1.0.0" } };
  const spec = { componentDescriptor, blueprint: { ref: { resourceName: "blueprint" } } };
  const metadata = { name: uid, namespace: "ns", uid, generation };
  return { apiVersion, kind: "Installation", metadata, spec, status: { jobID } };
}

function contextOf(host: string, resourceVersion: string): Context {
  const metadata = { name: "default", namespace: "ns", resourceVersion };
  return { apiVersion, kind: "Context", metadata, repositoryContext: registry(host) };
}

const request: ComponentRequest = {
  type: "descriptor",
  component: { name: "example.com/app", version: "1.0.0" },
  context: registry("registry.example"),
};

/** A source whose answers have this many bytes, or fail. */
function set({
  bytes = 10,
  fails = false,
  ...options
}: { readonly bytes?: number; readonly fails?: boolean } & Pick<JobComponentsOptions, "limits"> = {}) {
  const asked: string[] = [];
  let jobs = 0;
  const source: ComponentSource = {
    forJob: () => {
      jobs += 1;
      return {
        fetch: async ({ component }) => {
          asked.push(component.name);
          if (fails) throw new Error("away");
          return { bytes: new Uint8Array(bytes), digest: "", mediaType: "", where: "" };
        },
      };
    },
  };
  const components = createJobComponents({ client, source, ...options });
  const jobOf = (installation: Installation, context: Context) => ({
    installation,
    loadContext: async () => context,
  });
  const inputOf = async (installation: Installation, context: Context) =>
    await components.input(jobOf(installation, context), signal);
  const fetchFor = async (installation: Installation, context: Context): Promise<void> => {
    await components.fetch(jobOf(installation, context), [request], signal);
  };
  return { components, asked, inputOf, fetchFor, jobs: () => jobs };
}

it("an index of a Helm repository is searched for the namespace of the Installation", async () => {
  const searched: unknown[] = [];
  const query = { name: "web", version: "^1", where: "https://charts.example" };
  const source: ComponentSource = {
    forJob: ({ findInIndex }) => ({
      fetch: async () => {
        await findInIndex?.(new Uint8Array(3), query, signal);
        return { bytes: new Uint8Array(), digest: "", mediaType: "", where: "" };
      },
    }),
  };
  const components = createJobComponents({
    client,
    source,
    findInIndex: async ({ namespace, index, query: asked }) => {
      searched.push([namespace, index.length, asked]);
      return await Promise.resolve({ version: "1.0.0", url: "web.tgz", digest: undefined });
    },
  });
  await components.fetch({ installation: installationOf("a", "1"), loadContext: async () => first }, [request], signal);
  expect(searched).toEqual([["ns", 3, query]]);
});

const first = contextOf("registry.example", "1");
const changed = contextOf("other.example", "2");

describe("what a job has fetched of components", () => {
  it("stays for all its renderings, and no other job sees it", async () => {
    const { inputOf, fetchFor } = set();
    const installation = installationOf("a", "1");
    expect((await inputOf(installation, first)).supplies).toEqual([]);
    await fetchFor(installation, first);
    expect((await inputOf(installation, first)).supplies.map(([key]) => key)).toEqual([keyOfRequest(request)]);
    expect((await inputOf(installationOf("b", "1"), first)).supplies).toEqual([]);
    expect((await inputOf(installationOf("a", "2"), first)).supplies).toEqual([]);
  });

  it("is dropped when Installation or Context change before the job has been rendered", async () => {
    const { inputOf, fetchFor } = set();
    await fetchFor(installationOf("a", "1"), first);
    const { selection, supplies } = await inputOf(installationOf("a", "1"), changed);
    expect([selection?.context, supplies]).toEqual([registry("other.example"), []]);
    await fetchFor(installationOf("a", "1"), changed);
    expect((await inputOf(installationOf("a", "1", 2), changed)).supplies).toEqual([]);
  });

  it("is what the exports are rendered with, whatever becomes of the Context meanwhile", async () => {
    const { components, inputOf, fetchFor } = set();
    const installation = installationOf("a", "1");
    await fetchFor(installation, first);
    components.settle(installation);
    const { selection, supplies } = await inputOf(installation, changed);
    expect([selection?.context, supplies.length]).toEqual([registry("registry.example"), 1]);
  });

  it("is not used without its keys once nothing says any more that it was verified", async () => {
    const { components } = set();
    const plain = installationOf("a", "1");
    const installation = { ...plain, spec: { ...plain.spec, verification: { signatureName: "release" } } };
    const job = { installation, loadContext: async () => first };
    const { verification } = await components.input({ ...job, isVerified: true }, signal);
    components.settle(installation);
    expect(verification).toBeUndefined();
    await expect(components.input({ ...job, isVerified: false }, signal)).rejects.toMatchObject({
      reason: "ExtractVerifyInfo",
    });
  });

  it("goes with the job", async () => {
    const { components, inputOf, fetchFor } = set();
    const installation = installationOf("a", "1");
    await fetchFor(installation, first);
    components.forget(installation);
    expect((await inputOf(installation, first)).supplies).toEqual([]);
  });

  it("is nothing for an Installation without a component, whose Context is not looked at", async () => {
    const { components } = set();
    const installation = installationOf("a", "1");
    const plain = { ...installation, spec: { blueprint: { inline: { filesystem: {} } } } };
    const loadContext = async (): Promise<Context> => await Promise.reject(new Error("not asked for"));
    expect(await components.input({ installation: plain, loadContext }, signal)).toEqual({
      selection: undefined,
      supplies: [],
    });
  });

  it("is fetched with new credentials after a failure", async () => {
    const { fetchFor, jobs } = set({ fails: true });
    for (const attempt of [1, 2]) {
      await expect(fetchFor(installationOf("a", "1"), first)).rejects.toThrow("away");
      expect(jobs()).toBe(attempt);
    }
  });

  it.each([
    ["jobs", { limits: { jobs: 2 } }],
    ["bytes", { bytes: 100, limits: { bytes: 250 } }],
  ])("is bounded in %s: what was used longest ago goes first", async (_title, options) => {
    const { inputOf, fetchFor } = set(options);
    for (const uid of ["a", "b"]) await fetchFor(installationOf(uid, "1"), first);
    await inputOf(installationOf("a", "1"), first);
    await fetchFor(installationOf("c", "1"), first);
    const left: number[] = [];
    for (const uid of ["a", "c", "b"]) left.push((await inputOf(installationOf(uid, "1"), first)).supplies.length);
    expect(left).toEqual([1, 1, 0]);
  });
});
