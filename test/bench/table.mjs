// Figures as a Markdown table, and whether they meet their goals.

const digits = value => {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en-US')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** 12345.6 '/s' → '12,346/s'; 1.234 'ms' → '1.23 ms'. */
export const quantity = (value, unit) => {
  if (value === undefined || Number.isNaN(value)) return '–'
  return unit === '' || unit.startsWith('/') ? `${digits(value)}${unit}` : `${digits(value)} ${unit}`
}

const millions = amount => `${amount / 1e6} M`

/** A goal is a least ratio, a least or a greatest value, with or without a floor that has to be reached in any case. */
export const goalText = (goal, unit) => {
  if (goal === undefined) return '–'
  const [word, best, floor] =
    goal.ratio !== undefined
      ? ['≥', goal.ratio.toFixed(2), goal.floor?.toFixed(2)]
      : [
          goal.least === undefined ? '≤' : '≥',
          quantity(goal.least ?? goal.most, unit),
          goal.floor === undefined ? undefined : quantity(goal.floor, unit),
        ]
  return `${word} ${best}${floor === undefined ? '' : ` (floor ${floor})`}${goal.at === undefined ? '' : ` at ${millions(goal.at.amount)} ${goal.at.of}`}`
}

const reaches = (figure, goal, bound) => {
  if (goal.ratio !== undefined) return figure.ratio >= bound
  return goal.least === undefined ? figure.value <= bound : figure.value >= bound
}

/** 'yes', 'floor', 'no', or '–' where there is no goal, or the goal is for another amount of data than there was. */
export const verdict = (figure, goal) => {
  if (figure.failed) return 'no'
  if (goal === undefined || (goal.at !== undefined && goal.at.amount !== figure.amount)) return '–'
  if (reaches(figure, goal, goal.ratio ?? goal.least ?? goal.most)) return 'yes'
  return goal.floor !== undefined && reaches(figure, goal, goal.floor) ? 'floor' : 'no'
}

// What was no number in the trial's process is null here.
const ratioText = ({ ratio, range }) => {
  if (ratio === undefined || !Number.isFinite(ratio)) return '–'
  const [low, high] = range ?? []
  return !Number.isFinite(low) ? ratio.toFixed(2) : `${ratio.toFixed(2)} [${low.toFixed(2)}–${high.toFixed(2)}]`
}

const cells = row =>
  [
    row.figure,
    row.failed ? `failed: ${row.failed}` : quantity(row.value, row.unit),
    row.limit === undefined
      ? '–'
      : `${quantity(row.limit, row.unit)}${row.limitIs === undefined ? '' : ` (${row.limitIs})`}`,
    ratioText(row),
    goalText(row.goal, row.unit),
    verdict(row, row.goal),
  ].map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))

const heads = ['figure', 'value', 'limit in the same run', 'ratio', 'goal', 'met']

/** One line a figure, padded so that it can be read as plain text too. */
export const table = rows => {
  const lines = [heads, ...rows.map(cells)]
  const widths = heads.map((_, column) => Math.max(...lines.map(line => line[column].length)))
  const [head, ...body] = lines.map(
    line => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  )
  return [head, `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`, ...body].join('\n')
}
