/** Returns the current time in milliseconds since 1970; injected everywhere, so that tests control it. */
export type Clock = () => number

/** A day in the site's time zone as the number yyyymmdd (20261121), which sorts and is readable in the file. */
export type Day = number

/** One hour of a day as the clock shows it: its number, counted from 0, its first second, and that after its last. */
export type HourOfDay = { hour: number; start: number; end: number }

/** The site's time zone: maps instants (whole seconds since 1970) to days and back. */
export type Zone = {
  name: string
  /** The weekday on which the site's weeks begin, 1 for Monday to 7 for Sunday. */
  weekStart: number
  /** The day on which an instant falls. */
  dayOf: (second: number) => Day
  /** The first second of a day; also right where midnight does not exist. */
  startOf: (day: Day) => number
  /** The hour on the clock, 0 to 23. */
  hourOf: (second: number) => number
  /** The time on the clock, in seconds after midnight. */
  timeOf: (second: number) => number
  /**
   * The first second of a day at which the clock shows a time (in seconds after midnight) or, where that is skipped, a
   * later one; the first of the next day if there is none.
   */
  secondAt: (day: Day, time: number) => number
  /**
   * From which second on the hours of a day begin how many seconds earlier than whole hours after its first second:
   * after clocks changed by half an hour, or in the midst of an hour. `by` is 0 on other days.
   */
  hourShift: (day: Day) => { from: number; by: number }
  /** The hours of a day: 24, but where clocks change. A change in the midst of an hour begins another one. */
  hoursOf: (day: Day) => HourOfDay[]
  /** The number of the hour of its day in which an instant is, see `hoursOf`. */
  hourOfDay: (second: number) => number
}

const dayLength = 86_400
const hourLength = 3600
const searchRadius = 40 * 3600

export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** RFC 3339 in UTC, whole seconds. */
export const timeText = (second: number): string => new Date(second * 1000).toISOString().replace('.000Z', 'Z')

/** 20261121 → '2026-11-21'. */
export const dayText = (day: Day): string => {
  const text = String(day).padStart(8, '0')
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
}

/** '2026-11-21' → 20261121; the text must be a calendar date. */
export const parseDay = (text: string): Day => Number(text.replaceAll('-', ''))

// Date.UTC takes the years 0 to 99 for those of the 20th century.
const utcOf = (day: Day): number =>
  new Date(0).setUTCFullYear(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100) / 1000

const fromUtc = (second: number): Day => {
  const date = new Date(second * 1000)
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
}

/** Every month has at least 28 days. */
const minMonthLength = 28

/** The day `count` days later (or earlier, if negative). */
export const addDays = (day: Day, count: number): Day =>
  count === 1 && day % 100 < minMonthLength ? day + 1 : fromUtc(utcOf(day) + count * dayLength)

/** Parses '2026-11-21'; null unless it is a calendar date from 1970 on. */
export const dateOf = (text: string): Day | null => {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? parseDay(text) : 0
  return day >= 19700101 && addDays(day, 0) === day ? day : null
}

/** The number of days in a range, including both ends. */
export const daysBetween = (from: Day, to: Day): number => (utcOf(to) - utcOf(from)) / dayLength + 1

/** All days of a range, including both ends. */
export const eachDay = (from: Day, to: Day): Day[] => {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

/** 1 for Monday to 7 for Sunday. 1970-01-01 was a Thursday. */
export const weekday = (day: Day): number => ((daysBetween(19700101, day) + 2) % 7) + 1

/** Whether the runtime supports the IANA zone. */
export const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Binary search: the smallest second in (low, high] for which `holds` is true; it must be false before that. */
const firstSecond = (low: number, high: number, holds: (second: number) => boolean): number => {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

/** Creates a zone by its IANA name, with weeks from Monday on unless told; throws RangeError if it is unknown. */
export const createZone = (name: string, weekStart = 1): Zone => {
  const format = new Intl.DateTimeFormat('en-CA-u-ca-gregory-nu-latn', {
    timeZone: name,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const localDay = (second: number): Day => parseDay(format.format(second * 1000))
  const starts = new Map<Day, number>()

  const startOf = (day: Day): number => {
    const cached = starts.get(day)
    if (cached !== undefined) return cached
    const middle = utcOf(day)
    const start = firstSecond(middle - searchRadius, middle + searchRadius, second => localDay(second) >= day)
    if (starts.size > 8000) starts.clear()
    starts.set(day, start)
    return start
  }

  // Hits arrive in order of time, so the day is nearly always that of the previous one.
  let last = { day: 0, start: 0, end: 0 }
  const dayOf = (second: number): Day => {
    if (second >= last.start && second < last.end) return last.day
    const day = localDay(second)
    last = { day, start: startOf(day), end: startOf(addDays(day, 1)) }
    return day
  }

  const clock = new Intl.DateTimeFormat('en', { timeZone: name, hour: 'numeric', hourCycle: 'h23' })
  const hourOf = (second: number): number => Number(clock.format(second * 1000))

  const clockTime = new Intl.DateTimeFormat('en', { timeZone: name, timeStyle: 'medium', hourCycle: 'h23' })
  const timeOf = (second: number): number => {
    const [hours = 0, minutes = 0, seconds = 0] = clockTime
      .format(second * 1000)
      .split(':')
      .map(Number)
    return hours * 3600 + minutes * 60 + seconds
  }
  const secondAt = (day: Day, time: number): number => {
    const [start, end] = [startOf(day), startOf(addDays(day, 1))]
    const expected = start + time - timeOf(start)
    if (expected >= start && expected < end && timeOf(expected) === time) return expected
    // The clocks changed earlier that day. A time that occurs twice never gets here: `expected` is its first
    // occurrence.
    return firstSecond(start - 1, end, second => timeOf(second) >= time)
  }

  const shifts = new Map<Day, { from: number; by: number }>()
  const findShift = (day: Day): { from: number; by: number } => {
    const [start, end] = [startOf(day), startOf(addDays(day, 1))]
    if (end - start === dayLength || end === start) return { from: start, by: 0 }
    const begin = timeOf(start)
    const from = firstSecond(start, end, second => timeOf(second) - begin !== second - start)
    if (from === end) return { from: start, by: 0 }
    const passed = from - start
    return { from, by: Math.ceil(passed / hourLength) * hourLength - passed + (timeOf(from) % hourLength) }
  }
  const hourShift = (day: Day): { from: number; by: number } => {
    const shift = shifts.get(day) ?? findShift(day)
    if (shifts.size > 8000) shifts.clear()
    shifts.set(day, shift)
    return shift
  }
  const hourOfDay = (second: number): number => {
    const day = dayOf(second)
    const { from, by } = hourShift(day)
    return Math.floor((second - startOf(day) + (second >= from ? by : 0)) / hourLength)
  }
  const hoursOf = (day: Day): HourOfDay[] => {
    const [start, end] = [startOf(day), startOf(addDays(day, 1))]
    const { from, by } = hourShift(day)
    const count = Math.ceil((end - start + by) / hourLength)
    const beginOf = (hour: number): number => {
      const second = start + hour * hourLength
      return second < from ? second : Math.max(from, second - by)
    }
    return Array.from({ length: count }, (_, hour) => ({
      hour,
      start: beginOf(hour),
      end: Math.min(beginOf(hour + 1), end),
    }))
  }

  return { name, weekStart, dayOf, startOf, hourOf, timeOf, secondAt, hourShift, hoursOf, hourOfDay }
}
