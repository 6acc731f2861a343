import { languages } from '../app/texts.ts'

type Props = {
  label: string
  value: string
  choose: (id: string) => void
  /** Of the label. */
  class?: string
}

/** A choice among the dashboard's languages, each by its own name. */
export const LanguageField = ({ label, value, choose, class: look }: Props) => (
  <label class={look}>
    {label}
    <select value={value} onChange={event => choose(event.currentTarget.value)}>
      {languages.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
)
