/** How long the program has to end, and the wait container to save what it has left, when the Pod is deleted. */
export const gracePeriodSeconds = 300;
