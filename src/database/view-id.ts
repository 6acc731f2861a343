/** Ids of views and events hold their second and a sequence within it, so that the primary key is the time index. */
const perSecond = 2 ** 20

/** The smallest id of a second. */
export const firstViewId = (second: number): number => second * perSecond

export const secondOf = (id: number): number => Math.floor(id / perSecond)
