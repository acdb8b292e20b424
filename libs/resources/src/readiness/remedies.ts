/** What users can do about what keeps objects from being ready. */
export const remedies = {
  image: "correct the image, or give the Pod the credentials of its registry in imagePullSecrets",
  crash: "correct the program or its configuration",
  ended: "keep the program running, or run it in a Job",
  memory: "raise the memory limit of the container, or let its program take less",
  configuration: "create the Secret or ConfigMap that the Pod names, or correct its name",
  start: "look at the events of the Pod",
  failed: "look at the Pod and its log",
  unscheduled: "lower the requests of the Pod, correct its node selector and tolerations, or add a node that fits it",
  probe: "look at the log of the container, and correct its program or the probe",
  gate: "look at the controller that fulfils the readiness gates of the Pod",
  noPods: "correct what the message names, such as a quota, a policy or a webhook",
  terminal:
    "correct what the status and the events of the object name, such as a failed program or a refused field, then start another job",
  paused: "resume the Deployment: set spec.paused to false",
} as const;
