// Figures as they are written next to their names, in the dashboard and in digests.

/** A ratio as a percentage: with a decimal where that says something. */
export const percentIn = (language: string): ((ratio: number) => string) => {
  const fine = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const whole = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
  return ratio => (Math.abs(ratio) >= 0.1 ? whole.format(ratio) : fine.format(ratio))
}

/** A duration such as `2m 5s`, by the symbols of the units: most runtimes write out words that no tile has room for. */
export const durationIn = (language: string): ((seconds: number) => string) => {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const english = language.startsWith('en')
  const unit = (value: number, symbol: string): string =>
    `${whole.format(value)}${english ? symbol : `\u00a0${symbol}`}`
  return seconds => {
    const all = Math.round(seconds)
    const [hours, minutes] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60)]
    const minuteText = unit(minutes, english ? 'm' : 'min')
    if (hours > 0) return `${unit(hours, 'h')} ${minuteText}`
    return minutes > 0 ? `${minuteText} ${unit(all % 60, 's')}` : unit(all % 60, 's')
  }
}
