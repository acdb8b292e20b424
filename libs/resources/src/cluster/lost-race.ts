import { isAlreadyExists, isConflict, isInvalid } from "@landscaper/controller-runtime";

/** Lost races against other writers of the same object that are settled at once. */
export const maxRaces = 3;

/** Somebody else was faster: with a write, with a create, or with another object of the same name. */
export function isLostRace(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isAnotherObject(error);
}

function isAnotherObject(error: unknown): boolean {
  if (!isInvalid(error)) return false;
  return (error.statusObject.details?.causes ?? []).some(({ field }) => field === "metadata.uid");
}
