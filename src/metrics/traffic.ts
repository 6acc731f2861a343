import { createHistogram, type Histogram } from './histogram.ts'

/** What the port has answered since the start, and how long it took. */
export type Traffic = {
  /** The public collection routes, from the head of a request to its answer. */
  collection: Histogram
  /** Everything that the router answers: reports, administration, login. */
  api: Histogram
  apiAnswered: (status: number) => void
  /** Answers by their class, such as '2xx'. */
  apiAnswers: () => ReadonlyMap<string, number>
}

export const createTraffic = (): Traffic => {
  const answers = new Map<string, number>()
  return {
    collection: createHistogram(),
    api: createHistogram(),
    apiAnswered: status => {
      const kind = `${Math.floor(status / 100)}xx`
      answers.set(kind, (answers.get(kind) ?? 0) + 1)
    },
    apiAnswers: () => answers,
  }
}
