// Small signs next to names: flags of countries, and letters for browsers, systems and sources. Their logos are
// trademarks, of which half have no free drawing.
import { useDrawings } from './drawings.ts'

/** The flag of a country, by its code in capitals; a space of the same size where there is none. */
export const Flag = ({ country }: { country: string }) => {
  const { drawings, place } = useDrawings('flags')
  const svg = drawings?.[country]
  return (
    <span
      class="flag"
      ref={place}
      aria-hidden="true"
      style={svg && { backgroundImage: `url("data:image/svg+xml,${encodeURIComponent(svg)}")` }}
    />
  )
}

const tones = 7

/** The first letter of a name in a colour of its own. */
export const Letter = ({ name }: { name: string }) => {
  const [first = ''] = name.replace(/^www\./, '').toUpperCase()
  const sum = [...name].reduce((all, character) => (all * 31 + (character.codePointAt(0) ?? 0)) % 9973, 0)
  return (
    <span class={`letter tone${sum % tones}`} aria-hidden="true">
      {first}
    </span>
  )
}
