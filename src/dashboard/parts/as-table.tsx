import type { ComponentChildren } from 'preact'
import { useApp } from '../app/app-context.ts'
import { Scroll } from './scroll.tsx'

/** The figures of a chart as a table; the first cell of each row is its heading. */
export const AsTable = ({
  label,
  head,
  rows,
}: {
  label: string
  head: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
}) => {
  const { t } = useApp()
  return (
    <details class="as-table">
      <summary>{t('as_table')}</summary>
      <Scroll label={label}>
        <table>
          <thead>
            <tr>
              {head.map((name, index) => (
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells], index) => (
              <tr key={index}>
                <th scope="row">{name}</th>
                {cells.map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  )
}
