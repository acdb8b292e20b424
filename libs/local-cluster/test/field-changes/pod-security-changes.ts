import type { Fields } from "./combinations.ts";

const container = "spec.containers[0]";

/** Security contexts, profiles and sysctls of pods. */
export const podSecurityChanges: Readonly<Record<string, Fields>> = {
  "Windows with fields of Linux": {
    "spec.os": { name: "windows" },
    "spec.hostPID": true,
    "spec.shareProcessNamespace": true,
    "spec.securityContext": { runAsUser: 1, fsGroup: 1, seccompProfile: { type: "RuntimeDefault" } },
    [`${container}.securityContext`]: { runAsUser: 1, privileged: false, capabilities: { add: ["A"] } },
  },
  "Linux with fields of Windows": {
    "spec.os": { name: "linux" },
    "spec.securityContext": { windowsOptions: { runAsUserName: "a" } },
    [`${container}.securityContext`]: { windowsOptions: { runAsUserName: "a" } },
  },
  "a Windows host process without hostNetwork": {
    "spec.securityContext": { windowsOptions: { hostProcess: true } },
  },
  "a Windows host process with hostNetwork": {
    "spec.hostNetwork": true,
    "spec.securityContext": { windowsOptions: { hostProcess: true } },
  },
  "runAsNonRoot with root": { "spec.securityContext": { runAsNonRoot: true, runAsUser: 0 } },
  "a local seccomp profile without a file": { "spec.securityContext": { seccompProfile: { type: "Localhost" } } },
  "a seccomp file of another type": {
    "spec.securityContext": { seccompProfile: { type: "RuntimeDefault", localhostProfile: "a" } },
  },
  "an absolute seccomp file": {
    "spec.securityContext": { seccompProfile: { type: "Localhost", localhostProfile: "/a" } },
  },
  "a local AppArmor profile without a name": {
    "spec.securityContext": { appArmorProfile: { type: "Localhost" } },
  },
  "an AppArmor name of another type": {
    "spec.securityContext": { appArmorProfile: { type: "Unconfined", localhostProfile: "a" } },
  },
  "an AppArmor name with spaces": {
    "spec.securityContext": { appArmorProfile: { type: "Localhost", localhostProfile: " a" } },
  },
  "privileged without escalation": {
    [`${container}.securityContext`]: { privileged: false, allowPrivilegeEscalation: false },
  },
  "SYS_ADMIN without escalation": {
    [`${container}.securityContext`]: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ["CAP_SYS_ADMIN"] },
    },
  },
  "annotations of AppArmor": {
    "metadata.annotations": { "container.apparmor.security.beta.kubernetes.io/main": "other" },
  },
  "annotations of an unknown container": {
    "metadata.annotations": { "container.apparmor.security.beta.kubernetes.io/other": "runtime/default" },
  },
  "a bad sysctl": { "spec.securityContext": { sysctls: [{ name: "Kernel.a", value: "1" }] } },
  "a sysctl of IPC with hostIPC": {
    "spec.hostIPC": true,
    "spec.securityContext": { sysctls: [{ name: "kernel.shm_rmid_forced", value: "1" }] },
  },
};
