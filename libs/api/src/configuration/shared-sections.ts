import { Type, type Static } from "typebox";
import * as f from "../schema/schema-fields.ts";
import { emptyProtections } from "../objects/removal-protection.ts";
import { fieldValidations } from "../warnings/warnings.ts";

const { optional } = f;

/** What is judged of the jobs of users. */
export const scrutinyFields = {
  fieldValidation: Type.Enum(fieldValidations, {
    default: "Warn",
    description:
      "What becomes of unknown fields of users, where no annotation says so: Ignore, Warn, or Strict, which ends the job.",
  }),
  emptyProtection: Type.Enum(emptyProtections, {
    default: "on",
    description:
      "Whether jobs are held back that would leave nothing where there was something, or remove Namespaces, PersistentVolumeClaims or CRDs with instances.",
  }),
};

/** Workers are asynchronous and cost nothing while they wait; the charts of the original set 30, too. */
export const defaultWorkers = 30;

export const controllerFields = {
  workers: f.countOr(defaultWorkers, "Objects handled at the same time."),
  cacheSyncTimeout: f.withoutEffect(
    f.withDefault(f.duration("Longest time for the first list of a kind."), "2m"),
    "a first list takes as long as it takes",
  ),
};

export const controllerSchema = f.object(controllerFields, "Settings of a controller.");
export type ControllerConfiguration = Static<typeof controllerSchema>;

export const hpaSchema = f.object(
  { maxReplicas: f.countOr(1, "Most replicas that there may be.") },
  "Horizontal scaling.",
);

const shareCount = (description: string) => optional(Type.Integer({ minimum: 1, description }));

/** Limits for servers that tenants name: targets, and the sources of TargetSyncs. */
export const foreignRequestsFields = {
  connectTimeout: f.withDefault(f.duration("Until a connection stands, TLS included."), "10s"),
  answerTimeout: f.withDefault(f.duration("Until the first byte of an answer, and between two parts of it."), "30s"),
  totalTimeout: f.withDefault(f.duration("Of a whole request; watches have no end."), "60s"),
  maxObjectMiB: Type.Integer({ minimum: 1, default: 8, description: "Largest answer that is no list, in MiB." }),
  maxListMiB: Type.Integer({ minimum: 1, default: 64, description: "Largest list, all pages together, in MiB." }),
  unansweredRequests: Type.Integer({
    minimum: 1,
    default: 3,
    description: "Requests in a row without an answer after which a server is given a rest.",
  }),
  longestRest: f.withDefault(
    f.duration("Longest rest of a server that does not answer; the first one takes 5s."),
    "1m",
  ),
};

export const foreignRequestsSchema = f.object(foreignRequestsFields, "Limits of requests to servers that users name.");
export type ForeignRequestsConfiguration = Static<typeof foreignRequestsSchema>;

export const targetsSchema = f.object(
  {
    shares: f.withDefault(
      f.object(
        {
          total: shareCount("In total; three times controller.workers by default."),
          perNamespace: shareCount("Of one namespace; controller.workers by default."),
          perServer: shareCount("On one server; twice controller.workers by default."),
        },
        "Items at a time whose targets are talked to.",
      ),
      {},
    ),
    requests: f.withDefault(foreignRequestsSchema, {}),
  },
  "Work on targets.",
);
export type TargetsConfiguration = Static<typeof targetsSchema>;

export const ociSchema = f.object(
  {
    configFiles: optional(f.list(Type.String(), "Docker configuration files with credentials.")),
    cache: optional(
      f.object(
        {
          path: optional(f.text("Folder; ocicache in the temporary folder by default.")),
          useInMemoryOverlay: optional(
            f.withoutEffect(
              f.flag("Keep what was read last in memory."),
              "there is one cache, with a limit of its own",
            ),
          ),
        },
        "Cache of what registries gave.",
      ),
    ),
    allowPlainHttp: f.withDefault(f.flag("Use http where https fails."), false),
    insecureSkipVerify: f.withDefault(f.flag("Do not check certificates."), false),
    certificatesPath: optional(
      f.text(
        "Folder with certificates of registries and Helm repositories, in the layout of docker's certs.d: HOST:PORT/*.crt, *.cert and *.key.",
      ),
    ),
  },
  "Access to OCI registries.",
);
export type OciConfiguration = Static<typeof ociSchema>;
