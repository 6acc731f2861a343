/** Ids of views and events consist of their second and a sequence number in it: the primary key is the time index. */
const perSecond = 2 ** 20

/** The smallest id of a second. */
export const firstViewId = (at: number): number => at * perSecond

export const secondOf = (id: number): number => Math.floor(id / perSecond)
