// What a share link shows on other pages: a number that everybody may read, and the dashboard in a frame.
import type { ShareLinkAnswer } from '../../endpoints/share-links.ts'
import { fullAddress } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { Secret } from '../parts/action.tsx'
import { linesOf } from './setting-fields.tsx'

/** As they are typed: `figure` is empty without a counter, `frame` has one origin a line. */
export type Elsewhere = {
  figure: '' | 'views' | 'visitors'
  page: string
  since: string
  hundreds: boolean
  frame: string
}

export const nothingElsewhere: Elsewhere = { figure: '', page: '*', since: '', hundreds: false, frame: '' }

/** The fields of the request. */
export const elsewhereOf = ({ figure, page, since, hundreds, frame }: Elsewhere) => ({
  frame: linesOf(frame),
  ...(figure !== '' && {
    counter: { figure, page, ...(since !== '' && { since }), round: hundreds ? 'hundreds' : 'exact' },
  }),
})

export const ElsewhereFields = ({ fields, change }: { fields: Elsewhere; change: (fields: Elsewhere) => void }) => {
  const { t, today } = useApp()
  const { figure, page, since, hundreds, frame } = fields
  return (
    <details>
      <summary>{t('share_elsewhere')}</summary>
      <p class="tools">
        <label class="beside">
          {t('share_counter')}
          <select
            value={figure}
            onChange={event => change({ ...fields, figure: event.currentTarget.value as Elsewhere['figure'] })}
          >
            <option value="">{t('share_counter_none')}</option>
            <option value="views">{t('views')}</option>
            <option value="visitors">{t('visitors')}</option>
          </select>
        </label>
        {figure !== '' && (
          <>
            <label class="beside">
              {t('share_counter_page')}
              <input value={page} required onInput={event => change({ ...fields, page: event.currentTarget.value })} />
            </label>
            <label class="beside">
              {t('share_counter_since')}
              <input
                type="date"
                value={since}
                max={today}
                onInput={event => change({ ...fields, since: event.currentTarget.value })}
              />
            </label>
            <label class="choice">
              <input
                type="checkbox"
                checked={hundreds}
                onChange={event => change({ ...fields, hundreds: event.currentTarget.checked })}
              />
              {t('share_counter_hundreds')}
            </label>
          </>
        )}
      </p>
      <label>
        {t('share_frame')}
        <textarea
          rows={2}
          value={frame}
          placeholder="https://www.example.org"
          onInput={event => change({ ...fields, frame: event.currentTarget.value })}
        />
      </label>
    </details>
  )
}

const frameOf = (uuid: string, token: string): string =>
  new URL(`${location.pathname}frame/${uuid}#share=${token}`, location.href).href

/** What is pasted into other pages. */
export const ElsewhereCode = ({ link }: { link: ShareLinkAnswer & { token: string } }) => {
  const { t } = useApp()
  const { uuid, token, counter, frame } = link
  const badge = fullAddress(`/counter/${uuid}`, { format: 'svg' })
  return (
    <>
      {counter !== null && <Secret title={t('share_badge')} text={`<img alt="${t(counter.figure)}" src="${badge}">`} />}
      {frame.length > 0 && (
        <Secret
          title={t('share_frame_code', { origins: frame.join(', ') })}
          text={`<iframe src="${frameOf(uuid, token)}" width="100%" height="900" style="border:0"></iframe>`}
        />
      )}
    </>
  )
}
