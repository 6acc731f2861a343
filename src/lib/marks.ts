/** 1 at each listed number: arrays are read several times as fast as sets. */
export const markIds = (ids: readonly number[]): Uint8Array => {
  const marks = new Uint8Array(ids.reduce((size, id) => Math.max(size, id + 1), 0))
  for (const id of ids) marks[id] = 1
  return marks
}
