import { Type, type Static } from "typebox";

const text = (description: string): ReturnType<typeof Type.String> => Type.String({ description });

export const transitionDataSchema = Type.Object(
  {
    kind: text("`Installation`, `Execution` or `DeployItem`."),
    namespace: text("Namespace of the object."),
    name: text("Name of the object."),
    uid: text("Uid of the object. An object that is deleted and created again has another one."),
    resourceVersion: text("Version of the object that has this state."),
    phase: text(
      "`status.phase`; `Deleted` with `deleted` in the last event of an object. Empty if the object has a job but no phase yet. At most 256 characters, like ids of jobs.",
    ),
    previousPhase: Type.Optional(text("Phase of the object's previous event. Absent in its first event.")),
    jobID: Type.Optional(text("`status.jobID`. Absent before the first job.")),
    jobIDFinished: Type.Optional(text("`status.jobIDFinished`. The job has ended if it equals `jobID`.")),
    error: Type.Optional(
      Type.Object(
        {
          reason: text("Reason of the error, as in [errors](../errors.md)."),
          message: text("Message of the error without secrets, at most 1,024 characters."),
        },
        { description: "Error of a failed phase." },
      ),
    ),
    deleted: Type.Optional(
      Type.Literal(true, { description: "`true` in the last event of an object: the object was removed." }),
    ),
    previous: Type.Optional(text("`resourceVersion` of the object's previous event. Absent in its first event.")),
    gap: Type.Optional(
      Type.Literal(true, {
        description: "`true` if versions between this event and the previous one may have been missed.",
      }),
    ),
  },
  { description: "Identity and state of the object, see below." },
);

export const transitionEventSchema = Type.Object({
  specversion: Type.Literal("1.0", { description: "`1.0`" }),
  id: text("`<uid>.<resourceVersion>`. A repeated event has the same id, which is also its header `Nats-Msg-Id`."),
  source: text(
    "`/landscaper/<id of the landscaper cluster>`. The id is in the Secret `kube-system/landscaper-hub-id`.",
  ),
  type: text("`cloud.gardener.landscaper.<kind>.phase`, with the kind in lower case."),
  subject: text("`<namespace>/<name>`"),
  time: text("Time when the publisher observed the version, RFC 3339."),
  datacontenttype: Type.Literal("application/json", { description: "`application/json`" }),
  data: transitionDataSchema,
});

/** Content of an event: identity and state of an object. Spec, values and configuration are never part of it. */
export type TransitionData = Readonly<Static<typeof transitionDataSchema>>;

/** CloudEvents 1.0, JSON format (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md). */
export type TransitionEvent = Readonly<Static<typeof transitionEventSchema>>;
