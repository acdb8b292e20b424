import { Type, type Static } from "typebox";
import * as f from "../schema-fields.ts";

const { optional } = f;

/** Workers are asynchronous and cost nothing while they wait; the charts of the original set 30, too. */
export const defaultWorkers = 30;

export const controllerFields = {
  workers: Type.Integer({ minimum: 1, default: defaultWorkers, description: "Objects handled at the same time." }),
  cacheSyncTimeout: f.withDefault(f.duration("Longest time for the first list of a kind."), "2m"),
};

export const controllerSchema = f.object(controllerFields, "Settings of a controller.");
export type ControllerConfiguration = Static<typeof controllerSchema>;

export const hpaSchema = f.object(
  { maxReplicas: Type.Integer({ minimum: 1, default: 1, description: "Most replicas that there may be." }) },
  "Horizontal scaling.",
);

export const ociSchema = f.object(
  {
    configFiles: optional(f.list(Type.String(), "Docker configuration files with credentials.")),
    cache: optional(
      f.object(
        {
          path: optional(f.text("Folder; ocicache in the temporary folder by default.")),
          useInMemoryOverlay: optional(f.flag("Keep what was read last in memory.")),
        },
        "Cache of what registries gave.",
      ),
    ),
    allowPlainHttp: f.withDefault(f.flag("Use http where https fails."), false),
    insecureSkipVerify: f.withDefault(f.flag("Do not check certificates."), false),
  },
  "Access to OCI registries.",
);
export type OciConfiguration = Static<typeof ociSchema>;
