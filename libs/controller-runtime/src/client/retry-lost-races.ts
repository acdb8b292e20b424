import { isAlreadyExists, isConflict } from "./api-error.ts";

/**
 * What `attempt` gives, which reads an object and writes it: again, at most `maxAttempts` times in all, when somebody else has written or created the
 * object in between. Throws what the last attempt throws, and any other error at once.
 */
export async function retryLostRaces<T>(maxAttempts: number, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (count === maxAttempts || !(isConflict(error) || isAlreadyExists(error))) throw error;
    }
  }
}
