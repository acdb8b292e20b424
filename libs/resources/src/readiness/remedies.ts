/** What users can do about what keeps objects from being ready. */
export const remedies = {
  image: "Correct the image, or give the Pod the credentials of its registry in imagePullSecrets.",
  crash: "Correct the program or its configuration.",
  memory: "Raise the memory limit of the container, or let its program take less.",
  configuration: "Create the Secret or ConfigMap that the Pod names, or correct its name.",
  start: "Look at the events of the Pod.",
  failed: "Look at the Pod and its log.",
  unscheduled: "Lower the requests of the Pod, correct its node selector and tolerations, or add a node that fits it.",
  probe: "Correct the probe, or the program that it asks.",
  gate: "Look at the controller that fulfils the readiness gates of the Pod.",
  noPods: "Correct what the message names, such as a quota, a policy or a webhook.",
  paused: "Set spec.paused of the Deployment to false.",
} as const;
