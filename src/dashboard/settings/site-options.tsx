// Where the site is, and by which days it is counted.
import { weekdayNames } from '../../lib/calendar.ts'
import { useApp } from '../app/app-context.ts'
import { zoneLabel, zonesWith } from '../parts/zones.ts'
import { ChoiceOption, ListOption, OptionForm, type OptionProps, TextOption } from './option-fields.tsx'

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
const pairs = letters.flatMap(first => letters.map(second => first + second))

/** Codes and names of countries, as far as the browser knows them. */
const countries = (language: string): [string, string][] => {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  return pairs
    .flatMap((code): [string, string][] => {
      const name = names.of(code)
      return name === undefined ? [] : [[code, name]]
    })
    .sort(([, one], [, other]) => one.localeCompare(other, language))
}

/** Where any website may send visits: the one button that ends it. */
const CountOnly = ({ values, change }: OptionProps) => {
  const { t, hosts } = useApp()
  const [host] = hosts
  if (values.site_url !== '' || values.allowed_hosts !== '' || host === undefined) return null
  return (
    <p class="note">
      {t('any_site')}{' '}
      <button type="button" onClick={() => change('site_url', `https://${host}`)}>
        {t('count_only', { host })}
      </button>
    </p>
  )
}

const SiteFields = (props: OptionProps) => {
  const { t, f, language } = useApp()
  return (
    <>
      <TextOption name="site_name" {...props} />
      <TextOption name="site_url" {...props} />
      <ListOption name="allowed_hosts" {...props} />
      <CountOnly {...props} />
      <ChoiceOption
        name="timezone"
        choices={zonesWith(props.values.timezone ?? '').map(zone => [zone, zoneLabel(zone)])}
        {...props}
      />
      <ChoiceOption
        name="week_start"
        choices={weekdayNames.map((name, index) => [name, f.slot('weekday', String(index + 1))])}
        {...props}
      />
      <ChoiceOption name="home_country" choices={[['', t('option_none')], ...countries(language)]} {...props} />
      <TextOption name="currency" {...props} />
      <ListOption name="keep_query" {...props} />
    </>
  )
}

export const SiteOptionsForm = () => {
  const { t } = useApp()
  return <OptionForm id="site-options" title={t('site_settings')} fields={SiteFields} />
}
