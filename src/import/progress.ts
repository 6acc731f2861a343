/** A progress bar on a terminal; does nothing otherwise. */
export type Progress = { show: (done: number, lines: number) => void; clear: () => void }

const width = 30
const interval = 200

const bar = (share: number): string => '█'.repeat(Math.round(share * width)).padEnd(width, '░')

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`

type Screen = { isTTY?: boolean; write: (text: string) => unknown }

/** @param now the current time in milliseconds */
export const createProgress = (screen: Screen, label: string, now: () => number): Progress => {
  const started = now()
  let lastShown = 0
  let first: number | null = null
  return {
    show: (share, lines) => {
      if (screen.isTTY !== true || now() - lastShown < interval) return
      lastShown = now()
      first ??= lines
      const elapsed = (now() - started) / 1000
      const rate = (lines - first) / Math.max(elapsed, 0.001)
      const left = share > 0.01 ? `, ${duration((elapsed / share) * (1 - share))} left` : ''
      screen.write(
        `\r\u001b[K${label} ${bar(share)} ${Math.floor(share * 100)} %  ${Math.round(rate).toLocaleString('en')} a second${left}`,
      )
    },
    clear: () => {
      if (screen.isTTY === true && lastShown > 0) screen.write('\r\u001b[K')
    },
  }
}
