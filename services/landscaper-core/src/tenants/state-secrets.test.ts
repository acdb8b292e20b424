// The names of state Secrets follow from names that users choose: what else has such a name is neither read nor overwritten.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, resources, templateStateSecretName } from "@landscaper/api";
import { installation, spiff } from "../test-objects.ts";
import { setUpCore } from "../test-set-up.ts";

const setUp = setUpCore();

describe("a Secret with the name of a template state", () => {
  it("is left alone when it does not belong to the Installation", async () => {
    const namespace = await setUp.namespace("state-foreign");
    const name = templateStateSecretName("root", "deploy", "default");
    const data = { config: Buffer.from('{"kept":"theirs"}').toString("base64") };
    await namespace.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata: { name }, data });
    const blueprint = { deployExecutions: spiff({ kept: '(( &state ( "ours" ) ))', deployItems: [] }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toBe(
      `template state: Secret "${name}" exists, but does not belong to the installation; states are kept in a Secret of that name: rename or remove it`,
    );
    expect((await namespace.get(kubeResources.secret, name)).data).toEqual(data);
  });
});
