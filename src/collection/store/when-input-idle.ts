/**
 * Does something when a turn of the event loop has brought no more of what `count` counts, after four turns at the latest:
 * what comes in numbers is then taken together.
 */
export const whenInputIdle = (count: () => number, done: () => void, turns = 4): void => {
  const found = count()
  setImmediate(() => {
    if (turns > 1 && count() > found) whenInputIdle(count, done, turns - 1)
    else done()
  })
}
