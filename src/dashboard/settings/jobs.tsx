import { useState } from 'preact/hooks'
import type { Diagnostics } from '../../checks/diagnostics/schema.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { Scroll } from '../parts/scroll.tsx'
import { useSentence } from '../parts/status.tsx'

type JobResult = { name: string; ok: boolean; message: string }

export const Jobs = ({ jobs, onRun }: { jobs: Diagnostics['cron']['jobs']; onRun: () => void }) => {
  const { t, f, zone } = useApp()
  const sentence = useSentence()
  const [busy, setBusy] = useState('')
  const [messages, setMessages] = useState<Readonly<Record<string, string>>>({})
  const run = async (name: string): Promise<void> => {
    setBusy(name)
    try {
      const { jobs: results } = await resource<{ jobs: JobResult[] }>('/cron/run', {
        method: 'POST',
        body: { jobs: [name] },
      })
      setMessages({ ...messages, [name]: results[0]?.message ?? '' })
      onRun()
    } catch (error) {
      setMessages({ ...messages, [name]: sentence(error) })
    }
    setBusy('')
  }
  return (
    <Scroll label={t('jobs')}>
      <table class="answer-table">
        <thead>
          <tr>
            {(['job', 'last_run', 'next_run', 'state'] as const).map(key => (
              <th key={key} scope="col" class="text">
                {t(key)}
              </th>
            ))}
            <th scope="col">
              <span class="visually-hidden">{t('run_now')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(({ name, last_run, next_run, last_error, stale }) => (
            <tr key={name}>
              <td class="text" title={name}>
                {t.maybe(`job_${name}`, name)}
              </td>
              <td class="text">{last_run === null ? t('never') : f.moment(last_run, zone)}</td>
              <td class="text">{next_run === null ? '–' : f.moment(next_run, zone)}</td>
              <td class="text" role="status">
                {busy === name ? t('running') : (messages[name] ?? last_error ?? (stale ? t('stale') : t('in_order')))}
              </td>
              <td>
                <button type="button" disabled={busy !== ''} onClick={() => void run(name)}>
                  {t('run_now')}
                  <span class="visually-hidden">: {t.maybe(`job_${name}`, name)}</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
