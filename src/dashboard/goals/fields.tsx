// Fields of the forms for goals.

export const Choices = <Value extends string>({
  label,
  of,
  value,
  textOf,
  choose,
}: {
  label: string
  of: readonly Value[]
  value: Value
  textOf: (value: Value) => string
  choose: (value: Value) => void
}) => (
  <label class="beside">
    {label}
    <select value={value} onChange={event => choose(of.find(one => one === event.currentTarget.value) ?? value)}>
      {of.map(one => (
        <option key={one} value={one}>
          {textOf(one)}
        </option>
      ))}
    </select>
  </label>
)

export const Text = ({
  label,
  value,
  type = 'text',
  required = false,
  hint,
  change,
}: {
  label: string
  value: string
  type?: 'text' | 'number'
  required?: boolean
  hint?: string
  change: (value: string) => void
}) => (
  <label class="beside">
    {label}
    <input
      {...(type === 'number' ? { type: 'number', step: 'any' } : { type: 'text' })}
      value={value}
      required={required}
      placeholder={hint}
      autoComplete="off"
      onInput={event => change(event.currentTarget.value)}
    />
  </label>
)
