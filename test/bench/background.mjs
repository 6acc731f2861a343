// What goes on beside the rounds of a trial.

/** Begins `work`, which is to stop once `ended()` says so; what it throws is thrown by `end`. */
export const inBackground = work => {
  let [ended, over, failed] = [false, false, null]
  const working = work(() => ended)
    .catch(error => {
      failed = error
    })
    .finally(() => {
      over = true
    })
  return {
    over: () => over,
    end: async () => {
      ended = true
      await working
      if (failed !== null) throw failed
    },
  }
}
