// The import of files of another program: sent in pieces, previewed by month, then imported while visits are counted.
import { useEffect, useState } from 'preact/hooks'
import type { ImportJobAnswer } from '../../endpoints/import-job.ts'
import type { UploadAnswer } from '../../endpoints/uploads.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { type Action, useAction } from '../parts/action.tsx'
import { ImportPreview } from './import-preview.tsx'

/** Bytes of a piece: even a slow line sends it within seconds. */
const pieceBytes = 2 ** 20
const pollInterval = 1000

type Options = { from: string; to: string; site: string; source_timezone: string }
const noOptions: Options = { from: '', to: '', site: '', source_timezone: '' }

/** Sends what is missing of a file; its id. */
const sendFile = async (
  file: File,
  known: readonly UploadAnswer[],
  onSent: (bytes: number) => void,
): Promise<string> => {
  const begun = known.find(({ name, bytes, received }) => name === file.name && bytes === file.size && received < bytes)
  let upload =
    begun ?? (await resource<UploadAnswer>('/uploads', { method: 'POST', body: { name: file.name, bytes: file.size } }))
  while (upload.received < upload.bytes) {
    const offset = upload.received
    upload = await resource<UploadAnswer>(`/uploads/${upload.id}`, {
      method: 'PUT',
      params: { offset },
      body: file.slice(offset, offset + pieceBytes),
    })
    onSent(upload.received - offset)
  }
  return upload.id
}

const Bar = ({ label, share }: { label: string; share: number }) => {
  const { f } = useApp()
  return (
    <p class="progress">
      {label} <progress max={1} value={share} aria-label={label} /> {f.percent(share)}
    </p>
  )
}

/** An import that is running, with what can be done about it. */
const Running = ({ job, action, onChange }: { job: ImportJobAnswer; action: Action; onChange: () => void }) => {
  const { t, f } = useApp()
  const { preview, state, phase, share, rows } = job
  const command = (name: string): void =>
    action.act(async () => {
      await resource('/imports/current', { method: 'PUT', body: { command: name } })
      onChange()
    })
  return (
    <>
      <Bar label={t(`import_${phase}`, { rows: f.count(rows) })} share={share} />
      <p class="tools">
        {!preview && (
          <button type="button" disabled={action.busy} onClick={() => command(state === 'paused' ? 'run' : 'pause')}>
            {t(state === 'paused' ? 'import_go_on' : 'import_pause')}
          </button>
        )}
        <button type="button" disabled={action.busy} onClick={() => command('stop')}>
          {t('import_stop')}
        </button>
      </p>
    </>
  )
}

/** @param onEnd called when an import has ended */
export const ImportFiles = ({ onEnd }: { onEnd: () => void }) => {
  const { t, f } = useApp()
  const action = useAction()
  const { busy, act, errorNote } = action
  const uploads = useResource('uploads', () => resource<UploadAnswer[]>('/uploads'))
  const job = useResource('import-job', () => resource<ImportJobAnswer>('/imports/current'))
  const [sending, setSending] = useState<number | null>(null)
  const [options, setOptions] = useState(noOptions)
  const files = uploads.value ?? []
  const complete = files.filter(({ bytes, received }) => received === bytes)
  const current = job.value
  const isRunning = current?.state === 'running' || current?.state === 'paused'
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setTimeout(job.retry, pollInterval)
    return () => clearTimeout(timer)
  }, [current])
  // What is shown beside it has changed: files are gone, an import is there.
  useEffect(() => {
    if (isRunning || current === null) return
    uploads.retry()
    onEnd()
    // A short import has ended before it was seen to run.
  }, [isRunning, current?.preview])

  const begin = async (preview: boolean, ids: readonly string[]): Promise<void> => {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ''))
    await resource('/imports', { method: 'POST', body: { uploads: ids, preview, ...given } })
    job.retry()
  }
  const send = (chosen: readonly File[]): void =>
    act(async () => {
      const all = chosen.reduce((sum, { size }) => sum + size, 0)
      const ids = complete.map(({ id }) => id)
      let sent = 0
      setSending(0)
      try {
        for (const file of chosen) {
          const id = await sendFile(file, files, bytes => {
            sent += bytes
            setSending(sent / all)
          })
          ids.push(id)
        }
      } finally {
        setSending(null)
        uploads.retry()
      }
      await begin(true, ids)
    })
  const remove = (id: string): void =>
    act(async () => {
      await resource(`/uploads/${id}`, { method: 'DELETE' })
      uploads.retry()
    })
  const ids = complete.map(({ id }) => id)
  const entered = (name: keyof Options) => ({
    value: options[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setOptions({ ...options, [name]: currentTarget.value }),
  })
  return (
    <section class="card" aria-labelledby="import-files">
      <h2 id="import-files">{t('import_files')}</h2>
      <p class="faint">{t('import_files_about')}</p>
      {!isRunning && (
        <p>
          <label class="file">
            {t('import_choose')}{' '}
            <input
              type="file"
              multiple
              disabled={busy}
              onChange={({ currentTarget }) => {
                const chosen = [...(currentTarget.files ?? [])].filter(({ size }) => size > 0)
                if (chosen.length > 0) send(chosen)
                currentTarget.value = ''
              }}
            />
          </label>
        </p>
      )}
      {sending !== null && <Bar label={t('import_sending')} share={sending} />}
      {files.length > 0 && (
        <ul class="links">
          {files.map(({ id, name, bytes, received }) => (
            <li key={id}>
              <span>
                <b>{name}</b>{' '}
                <span class="faint">
                  {f.bytes(bytes)}
                  {received < bytes && ` · ${t('import_cut_off', { share: f.percent(received / bytes) })}`}
                </span>
              </span>
              {!isRunning && (
                <span class="tools">
                  <button type="button" disabled={busy} onClick={() => remove(id)}>
                    {t('import_remove')}
                    <span class="visually-hidden">: {name}</span>
                  </button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isRunning && complete.length > 0 && (
        <>
          <details>
            <summary>{t('import_options')}</summary>
            <p class="tools">
              {(['from', 'to'] as const).map(name => (
                <label key={name}>
                  {t(`import_option_${name}`)} <input type="date" {...entered(name)} />
                </label>
              ))}
              {(['source_timezone', 'site'] as const).map(name => (
                <label key={name}>
                  {t(`import_option_${name}`)} <input {...entered(name)} />
                </label>
              ))}
            </p>
          </details>
          <p class="tools">
            <button type="button" disabled={busy} onClick={() => act(() => begin(true, ids))}>
              {t('import_preview')}
            </button>
            <button type="button" disabled={busy} onClick={() => act(() => begin(false, ids))}>
              {t('import_now')}
            </button>
          </p>
        </>
      )}
      {isRunning && <Running job={current} action={action} onChange={job.retry} />}
      {current?.state === 'failed' && (
        <p class="bad problem" role="alert">
          {current.problem}
        </p>
      )}
      {current?.state === 'stopped' && <p class="note">{t('import_stopped')}</p>}
      {current?.report && <ImportPreview preview={current.preview} report={current.report} />}
      {errorNote}
    </section>
  )
}
