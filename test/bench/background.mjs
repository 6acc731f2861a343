// What goes on beside the rounds of a trial.

/** Begins `work`, which is to stop once `ended()` says so; what it throws is thrown by `check`, and by `end`. */
export const inBackground = work => {
  let [ended, over, failed] = [false, false, null]
  const working = work(() => ended)
    .catch(error => {
      failed = error
    })
    .finally(() => {
      over = true
    })
  const check = () => {
    if (failed !== null) throw failed
  }
  return {
    over: () => over,
    check,
    end: async () => {
      ended = true
      await working
      check()
    },
  }
}
