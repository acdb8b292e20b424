import { resources, type UnstructuredObject } from "@landscaper/api";
import { createTestKey } from "@landscaper/components/testing";
import { componentInstallation, contextObject } from "../../artifacts/component-landscape.ts";
import { signedInstallation, signerObjects } from "../../artifacts/signed-landscape.ts";
import type { TestNamespace } from "../../namespaces/test-namespace.ts";
import type { Mistake, Surroundings } from "../mistake.ts";
import { fail, waitForCore } from "./build.ts";

const area = "components";
const noImports = { imports: {} };

interface Wanted {
  readonly name?: string;
  readonly version?: string;
  /** Path in the registry. */
  readonly path?: string;
  /** Another registry. */
  readonly repository?: string;
  readonly resourceName?: string;
}

/** The Installation "root" of a component in the registry, by default of a correct one. */
function installation({ registry }: Surroundings, wanted: Wanted = {}) {
  const { name = "shop", version = "1.0.0", path = "team", repository = `${registry}/${path}`, resourceName } = wanted;
  const blueprint = resourceName === undefined ? {} : { blueprint: { ref: { resourceName } } };
  return componentInstallation({
    name: `example.org/${name}`,
    version,
    repository,
    spec: { ...noImports, ...blueprint },
  });
}

/** Applies the last object, and waits for its failure, after the core has seen the other objects, such as a Context. */
async function failBeside(scope: TestNamespace, ...objects: readonly UnstructuredObject[]): Promise<void> {
  await scope.apply(...objects.slice(0, -1));
  await waitForCore(scope);
  await fail(scope, ...objects.slice(-1));
}

/** Applies an Installation whose registry is unreachable, and waits for the error of its waiting job. */
async function untilWaiting(scope: TestNamespace, object: ReturnType<typeof installation>): Promise<void> {
  await scope.apply(object);
  await scope.until(resources.installation, "root", (found) => found?.status?.lastError !== undefined);
}

export const componentMistakes: readonly Mistake[] = [
  {
    area,
    title: "the version of a component does not exist",
    make: async (scope, around) => fail(scope, installation(around, { version: "1.0.1" })),
    place: /example\.org\/shop:1\.0\.1/,
    cause:
      /(not found|does not exist|no such component version|no repository).*127\.0\.0\.1:\d+\/team|127\.0\.0\.1:\d+\/team.*(not found|does not exist|no such)/s,
    remedy: /[Pp]ush|[Cc]orrect/,
  },
  {
    area,
    title: "the name of a component is misspelt",
    make: async (scope, around) => fail(scope, installation(around, { name: "shpo" })),
    place: /example\.org\/shpo:1\.0\.0/,
    cause:
      /(not found|does not exist|no such component version|no repository).*127\.0\.0\.1:\d+\/team|127\.0\.0\.1:\d+\/team.*(not found|does not exist|no such)/s,
    remedy: /[Pp]ush|[Cc]orrect/,
  },
  {
    area,
    title: "the path of a repository context is wrong",
    make: async (scope, around) => fail(scope, installation(around, { path: "tema/shop" })),
    place: /example\.org\/shop:1\.0\.0.*\/tema\/shop|\/tema\/shop.*example\.org\/shop:1\.0\.0/s,
    cause: /not found|does not exist|no such|no repository/,
    remedy: /[Cc]orrect.*repositoryContext/s,
  },
  {
    area,
    title: "https for a registry that speaks http",
    make: async (scope, around) =>
      untilWaiting(scope, installation(around, { repository: `${around.registry.replace("http:", "https:")}/team` })),
    place: /example\.org\/shop.*https:\/\/127\.0\.0\.1:\d+/s,
    cause: /TLS|https/,
    remedy: /http:\/\/|scheme/,
    misleading: /EPROTO|ERR_SSL|wrong version number/,
  },
  {
    area,
    title: "the registry of a component refuses the connection",
    make: async (scope, around) => untilWaiting(scope, installation(around, { repository: "http://127.0.0.1:9/team" })),
    place: /example\.org\/shop.*127\.0\.0\.1:9/s,
    cause: /refuse/,
    remedy: /[Cc]heck|[Cc]orrect/,
    misleading: /ECONNREFUSED/,
  },
  {
    area,
    title: "the host of a repository context does not exist",
    make: async (scope, around) =>
      untilWaiting(scope, installation(around, { repository: "https://no-such-host.invalid/team" })),
    place: /example\.org\/shop.*no-such-host\.invalid/s,
    cause: /(name|host).*(resolve|does not exist|unknown)|cannot be resolved/s,
    remedy: /[Cc]heck|[Cc]orrect/,
    misleading: /ENOTFOUND|getaddrinfo/,
  },
  {
    area,
    title: "the registry of a component answers with server errors",
    make: async (scope, around) => untilWaiting(scope, installation(around, { path: "failing" })),
    place: /example\.org\/shop.*127\.0\.0\.1:\d+/s,
    cause: /503/,
    remedy: /[Cc]heck the registry|retries/,
  },
  {
    area,
    title: "the registry of a component demands credentials",
    make: async (scope, around) => fail(scope, installation(around, { path: "guarded" })),
    place: /example\.org\/shop.*127\.0\.0\.1:\d+/s,
    cause: /credentials/,
    remedy: /registryPullSecrets|pull secret/,
  },
  {
    area,
    title: "the registry refuses the credentials of the pull secret",
    make: async (scope, around) => {
      const auth = Buffer.from("robot:wrong").toString("base64");
      const auths = { [new URL(around.registry).host]: { auth } };
      const stringData = { ".dockerconfigjson": JSON.stringify({ auths }) };
      await failBeside(
        scope,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, stringData },
        contextObject({ registryPullSecrets: [{ name: "pull" }] }),
        installation(around, { path: "guarded" }),
      );
    },
    place: /example\.org\/shop.*127\.0\.0\.1:\d+/s,
    cause: /refused|rejected|not valid|wrong/,
    remedy: /[Cc]orrect (them|the credentials|the pull secret|Secret)|(user|password|token)/i,
  },
  {
    area,
    title: "the user of the pull secret may not read the repository",
    make: async (scope, around) => fail(scope, installation(around, { path: "forbidden" })),
    place: /example\.org\/shop.*127\.0\.0\.1:\d+/s,
    cause: /403|not allow|denied|forbidden/i,
    remedy: /[Gg]ive.*right|[Gg]rant|pull secret/,
  },
  {
    area,
    title: "the pull secret of the Context does not exist",
    make: async (scope, around) =>
      failBeside(scope, contextObject({ registryPullSecrets: [{ name: "plul" }] }), installation(around)),
    place: /Context \S*default.*registryPullSecrets/s,
    cause: /Secret \S*plul\S*.*(is missing|does not exist|was not found)/s,
    remedy: /[Cc]reate|[Cc]orrect/,
  },
  {
    area,
    title: "the resource name of a blueprint is misspelt",
    make: async (scope, around) => fail(scope, installation(around, { resourceName: "blueprnt" })),
    place: /example\.org\/shop:1\.0\.0.*blueprnt/s,
    cause: /no resource|does not exist|not found|there is no/,
    remedy: /did you mean "?blueprint|has "?blueprint|blueprint, words/,
  },
  {
    area,
    title: "the resource of the blueprint has another type",
    make: async (scope, around) => fail(scope, installation(around, { name: "plain" })),
    place: /example\.org\/plain:1\.0\.0.*blueprint/s,
    cause: /plainText/,
    remedy: /landscaper\.gardener\.cloud\/blueprint/,
  },
  {
    area,
    title: "the resource of the blueprint is not an archive",
    make: async (scope, around) => fail(scope, installation(around, { name: "broken" })),
    place: /example\.org\/broken:1\.0\.0.*blueprint/s,
    cause: /archive|tar/,
    remedy: /[Pp]ack|[Pp]ublish.*archive/,
    misleading: /unexpected EOF|incorrect header check/,
  },
  {
    area,
    title: "the archive of the blueprint has no blueprint.yaml",
    make: async (scope, around) => fail(scope, installation(around, { name: "empty" })),
    place: /example\.org\/empty:1\.0\.0/,
    cause: /expected a file blueprint\.yaml, found none/,
    remedy: /[Aa]dd|root/,
  },
  {
    area,
    title: "the digest of a resource is wrong",
    make: async (scope, around) => fail(scope, installation(around, { name: "changed" })),
    place: /example\.org\/changed:1\.0\.0.*blueprint/s,
    cause: /digest.*sha256:0{64}|0{64}/s,
    remedy: /again|[Cc]heck the registry/,
  },
  {
    area,
    title: "the registry of a resource is unreachable",
    make: async (scope, around) => untilWaiting(scope, installation(around, { name: "away" })),
    place: /example\.org\/away:1\.0\.0.*blueprint/s,
    cause: /127\.0\.0\.1:9.*refuse|refuse.*127\.0\.0\.1:9/s,
    remedy: /[Cc]heck|[Cc]orrect/,
  },
  {
    area,
    title: "a component reference leads to a version that does not exist",
    make: async (scope, around) => fail(scope, installation(around, { name: "whole" })),
    place: /example\.org\/whole:1\.0\.0.*part/s,
    cause:
      /example\.org\/part:1\.0\.0.*(not found|does not exist|no such|no repository)|no.*example\.org\/part:1\.0\.0/s,
    remedy: /[Pp]ush|[Cc]orrect|transfer/,
  },
  {
    area,
    title: "a template reads a resource that the component does not have",
    make: async (scope, around) => fail(scope, installation(around, { name: "reader" })),
    place: /execution "default".*(line \d|:\d)/s,
    cause: /"?wrods/,
    remedy: /did you mean "?words|blueprint, words/,
  },
  {
    area,
    title: "a signature is demanded, and the component has none",
    make: async (scope, { registry }) => {
      const shop = { name: "example.org/shop", version: "1.0.0" };
      await failBeside(scope, ...signerObjects(createTestKey()), signedInstallation(shop, `${registry}/team`));
    },
    place: /example\.org\/shop:1\.0\.0/,
    cause: /signature "?release"?.*(not found|none|missing)/s,
    remedy: /component sign|[Ss]ign/,
  },
  {
    area,
    title: "the Context does not know the signature that is demanded",
    make: async (scope, { registry }) => {
      const shop = { name: "example.org/shop", version: "1.0.0" };
      const verification = { signatureName: "relaese" };
      await failBeside(
        scope,
        ...signerObjects(createTestKey()),
        signedInstallation(shop, `${registry}/team`, { verification }),
      );
    },
    place: /spec\.verification|Context \S*default.*verificationSignatures/s,
    cause: /"?relaese/,
    remedy: /did you mean "?release|found "release"; correct/,
  },
  {
    area,
    title: "the Secret with the key of a signature does not exist",
    make: async (scope, { registry }) => {
      const shop = { name: "example.org/shop", version: "1.0.0" };
      const publicKeySecretReference = { name: "singer", key: "public.pem" };
      await failBeside(
        scope,
        contextObject({ verificationSignatures: { release: { publicKeySecretReference } } }),
        signedInstallation(shop, `${registry}/team`),
      );
    },
    place: /verificationSignatures\.release|signature "?release/,
    cause: /Secret \S*singer\S*.*(is missing|does not exist|was not found)/s,
    remedy: /[Cc]reate|[Cc]orrect/,
  },
  {
    area,
    title: "the key of a signature is not PEM",
    make: async (scope, { registry }) => {
      const shop = { name: "example.org/shop", version: "1.0.0" };
      const { publicKey } = createTestKey();
      await failBeside(
        scope,
        ...signerObjects({ ...createTestKey(), publicKey: publicKey.replaceAll(/-----.*/g, "") }),
        signedInstallation(shop, `${registry}/team`),
      );
    },
    place: /Secret \S*signer.*public\.pem/s,
    cause: /public key|PEM/,
    remedy: /PEM|BEGIN PUBLIC KEY/,
  },
  {
    area,
    title: "the ConfigMap of the OCM configuration does not exist",
    make: async (scope, around) =>
      failBeside(scope, contextObject({ ocmConfig: { name: "omc" } }), installation(around)),
    place: /Context \S*default.*ocmConfig/s,
    cause: /ConfigMap \S*omc\S*.*(is missing|does not exist|was not found)/s,
    remedy: /[Cc]reate|[Cc]orrect/,
  },
  {
    area,
    title: "the overwrites of the Context do not exist",
    make: async (scope, around) =>
      failBeside(scope, contextObject({ componentVersionOverwrites: "overwirtes" }), installation(around)),
    place: /Context \S*default.*componentVersionOverwrites/s,
    cause: /overwirtes\S*.*(is missing|does not exist|was not found)/s,
    remedy: /[Cc]reate|[Cc]orrect/,
  },
  {
    area,
    title: "a blueprint of a component without the component",
    make: async (scope, around) => {
      const { spec, ...object } = installation(around);
      const { componentDescriptor: _left, ...rest } = spec as Readonly<Record<string, unknown>>;
      await fail(scope, { ...object, spec: rest });
    },
    place: /spec\.(componentDescriptor|blueprint)/,
    cause: /componentDescriptor.*(missing|none|required|not set)|(requires|needs|without|no) (a )?component/s,
    remedy: /(set|add|name).*componentDescriptor/i,
  },
];
