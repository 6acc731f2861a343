import { toSeconds, type Clock } from '../lib/time.ts'
import type { LogIn } from './log-in.ts'

const day = 86_400
const most = 1000

/** A login that counts its failures: their times only, not who failed. */
export const countFailures = (logIn: LogIn, clock: Clock): { logIn: LogIn; failedLogins: () => number } => {
  const times: number[] = []
  return {
    logIn: async (...attempt) => {
      const entrant = await logIn(...attempt)
      if (entrant === null) times.push(toSeconds(clock()))
      if (times.length > most) times.shift()
      return entrant
    },
    failedLogins: () => times.filter(at => at > toSeconds(clock()) - day).length,
  }
}
