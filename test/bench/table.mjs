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

/** The bound of a goal, with its hard limit if it has one: '≥ 0.50 (floor 0.35)'. */
export const goalText = (goal, unit) => {
  if (goal === undefined) return '–'
  const [operator, target, floor] =
    goal.ratio !== undefined
      ? ['≥', goal.ratio.toFixed(2), goal.floor?.toFixed(2)]
      : [
          goal.min === undefined ? '≤' : '≥',
          quantity(goal.min ?? goal.max, unit),
          goal.floor === undefined ? undefined : quantity(goal.floor, unit),
        ]
  return `${operator} ${target}${floor === undefined ? '' : ` (floor ${floor})`}${goal.at === undefined ? '' : ` at ${millions(goal.at.amount)} ${goal.at.of}`}`
}

const reaches = (figure, goal, bound) => {
  if (goal.ratio !== undefined) return figure.ratio >= bound
  return goal.min === undefined ? figure.value <= bound : figure.value >= bound
}

/** 'yes', 'floor' or 'no'; '–' without a goal, or if the goal applies to another amount of data. */
export const verdict = (figure, goal) => {
  if (figure.failed) return 'no'
  if (goal === undefined || (goal.at !== undefined && goal.at.amount !== figure.amount)) return '–'
  if (reaches(figure, goal, goal.ratio ?? goal.min ?? goal.max)) return 'yes'
  return goal.floor !== undefined && reaches(figure, goal, goal.floor) ? 'floor' : 'no'
}

// JSON turns NaN into null between the processes.
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

/** One row per figure, padded to be readable as plain text. */
export const table = rows => {
  const lines = [heads, ...rows.map(cells)]
  const widths = heads.map((_, column) => Math.max(...lines.map(line => line[column].length)))
  const [head, ...body] = lines.map(
    line => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  )
  return [head, `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`, ...body].join('\n')
}
