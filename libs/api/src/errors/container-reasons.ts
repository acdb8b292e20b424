import { entry } from "./reason-entry.ts";

/** Of container items, their Pods, and the programs that run in them. */
export const containerReasons = {
  ContainerFailed: entry(
    "The program ended with an exit code other than 0, was ended for using too much memory, or could not be started.",
    "See the message, which has the exit code and the end of the program's log, and `landscaper logs`.",
  ),
  ContainerInitFailed: entry(
    "The init container could not fetch what the program needs: component, blueprint or state.",
    "Correct what the message names; the program has not run.",
  ),
  ContainerWaitFailed: entry(
    "The wait container could not save what the program has left: its state or its exports.",
    "Correct what the message names. The program has run; the state of the run before is kept, unless it was deleted with its namespace.",
  ),
  ContainerImageFailed: entry(
    "A container of the Pod did not start within `pod.startGrace` of the deployer (2 minutes): its image cannot be pulled, or no container can be created from it.",
    "Correct the image, or give a pull secret for its registry.",
  ),
  ImageNotAllowed: entry(
    "The image of the item is not among those that the operator allows (`allowedImages`).",
    "Use an image of the places that the message lists, or ask the operator.",
  ),
  PodLost: entry(
    "The Pod has vanished before its program had a result: its node was lost, it was evicted, preempted or deleted. Whether the program has done its work is not known.",
    "Trigger again; for programs that may run twice, set `retryPolicy` in the configuration of the item.",
  ),
  PodRefused: entry(
    "The host cluster refuses the Pod or what belongs to it, for example by a rule of pod security, or because its namespace does not exist. The deployer has tried for 30 s.",
    "Correct the host cluster, or the `resources` of the item, and trigger again.",
  ),
  PullSecretMissing: entry(
    "A Secret with credentials of registries that the item or its Context names does not exist, or is in another namespace than the item.",
    "Create the Secret in the namespace of the item, or correct the name.",
  ),
  ContainerExportsInvalid: entry(
    "What the program has written to EXPORTS_PATH is no mapping in JSON or YAML.",
    "Correct the program; the message has line and column.",
  ),
  StateRefused: entry(
    "What the program left in the directory that STATE_PATH names cannot be kept: links, devices, sockets, files with several names, names that are too long, or more than the allowed size. The state of the run before stays.",
    "Keep only regular files and folders there, and less of them; the operator can raise `state.maxSize`.",
  ),
  StateDamaged: entry(
    "The state of an earlier run cannot be restored: a Secret of it is missing, or its content is not what was written. The program was not started.",
    "Restore the Secrets of the host cluster from a backup.",
  ),
  StateOutdated: entry(
    "Another run of the item has written its state in the meantime. The state of this run was not kept.",
    "None: a later run of the item goes on with the newer state.",
  ),
  ExportsRefused: entry(
    "What the program left at EXPORTS_PATH is not a regular file, or larger than a Secret may be.",
    "Write one file of at most 1,000,000 bytes to the path in EXPORTS_PATH.",
  ),
  PodVanished: entry(
    "The Pod of a container item was removed while its program ran. Its state and exports are lost.",
    "Trigger again; find out who deletes Pods in the namespace of the deployer.",
  ),
  CleanupIncomplete: entry(
    "The uninstall of the container deployer could not remove all objects of the deployer from the host cluster in time.",
    "Correct what the message names, then uninstall again: the cleanup continues where it stopped.",
  ),
  JobInterrupted: entry(
    "The Pod of a container item was stopped before its files were prepared, or before its program was seen to end.",
    "Trigger again.",
  ),
} as const;
