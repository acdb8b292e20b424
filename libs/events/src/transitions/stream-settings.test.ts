import { expect, it } from "@jest/globals";
import { findBucketFault, findStreamFault, type StreamSettings } from "./stream-settings.ts";

const missing = "landscaper.installation.*.*.*, landscaper.execution.*.*.*, landscaper.deployitem.*.*.*";

it.each<readonly [settings: StreamSettings, want: string | undefined]>([
  [{}, undefined],
  [
    { discard: "old", max_msgs: 10, max_age: 5, max_msg_size: 1_000, retention: "interest", deny_purge: true },
    undefined,
  ],
  [{ subjects: ["landscaper.*.*.*.*"] }, undefined],
  [{ subjects: ["other.>"] }, `exists with the subjects other.>, without ${missing}. Add landscaper.> to its subjects`],
  [{ subjects: undefined }, `exists without subjects of its own, without ${missing}. Add landscaper.> to its subjects`],
  [{ mirror: { name: "ORIGIN" }, subjects: undefined }, "is a mirror of ORIGIN. Delete it"],
  [{ sealed: true }, "is sealed. Delete it"],
  [{ no_ack: true }, "acknowledges nothing. Set no_ack to false"],
  [{ subject_transform: { src: "other.>", dest: "copy.>" } }, undefined],
  [{ subject_transform: { src: "", dest: "copy.>" } }, "stores subjects of > as copy.>. Remove subject_transform"],
  [
    { subject_transform: { src: "landscaper.execution.a.b.c", dest: "copy" } },
    "stores subjects of landscaper.execution.a.b.c as copy. Remove subject_transform",
  ],
])("a stream with %j: %s", (settings, want) => {
  const fault = findStreamFault({ subjects: ["landscaper.>"], ...settings });
  expect(fault === undefined ? undefined : `${fault.finding}. ${fault.remedy}`).toBe(want);
});

const again = "Delete the bucket: the publisher creates it again";

it.each<readonly [settings: StreamSettings, want: string | undefined]>([
  [{}, undefined],
  [{ max_age: 0, max_bytes: -1, max_msgs: -1, max_msg_size: -1, discard: "old", retention: "limits" }, undefined],
  [{ discard: "new", max_bytes: 1_000, max_msg_size: 16_384 }, undefined],
  [{ subjects: ["other.>"] }, `exists with the subjects other.>, without $KV.b.>. ${again}`],
  [{ mirror: { name: "KV_origin" }, subjects: undefined }, "is a mirror of KV_origin. Delete it"],
  [{ max_age: 10e9 }, "has a TTL of 10 s. Remove the TTL (max_age)"],
  [{ retention: "interest" }, `has the retention policy interest. ${again}`],
  [
    { discard: "old", max_bytes: 1_000 },
    "has a size limit, and discards old values. Remove the limits max_bytes and max_msgs, or set discard to new",
  ],
  [
    { max_msg_size: 100 },
    "takes no values of more than 100 bytes. Raise the limit max_msg_size to 16384, or remove it",
  ],
  [{ deny_purge: true }, `does not let keys of deleted objects be purged. ${again}`],
])("a bucket with %j: %s", (settings, want) => {
  const fault = findBucketFault({ subjects: ["$KV.b.>"], ...settings }, "b");
  expect(fault === undefined ? undefined : `${fault.finding}. ${fault.remedy}`).toBe(want);
});
