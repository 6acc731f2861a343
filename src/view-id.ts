/** View ids hold their second and a sequence within it, so that the primary key is the time index. */
const perSecond = 2 ** 20

/** The smallest id a view of this second can have. */
export const firstViewId = (second: number): number => second * perSecond

export const secondOf = (viewId: number): number => Math.floor(viewId / perSecond)

/** The next id after the last one of the same second. */
export const viewIdAfter = (last: number | null, second: number): number => last === null ? firstViewId(second) : last + 1
