/** Takes a place for a client, until the returned function is called; null if all that it may have are taken. */
export type Places = (client: string) => (() => void) | null

/** Bounds how many run at a time: of each client, and in all. */
export const createPlaces = (max: { client: number; all: number }): Places => {
  const taken: string[] = []
  return client => {
    if (taken.length >= max.all || taken.filter(other => other === client).length >= max.client) return null
    taken.push(client)
    return () => taken.splice(taken.indexOf(client), 1)
  }
}
