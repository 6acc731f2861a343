import { useApp } from '../app/app-context.ts'

/** From which day on goals are known, where not all of the range is. */
export const KnownFrom = ({ day }: { day: string | null | undefined }) => {
  const { t, f } = useApp()
  return typeof day === 'string' ? <p class="note">{t('known_from', { day: f.span({ from: day, to: day }) })}</p> : null
}
