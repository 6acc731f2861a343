// Whether the tracker leaves this device out. It can be known only if dashboard and site have one origin.
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'

/** The tracker's key of localStorage, see src/tracker/visitor.ts. */
const key = 'footfall'

const read = (): boolean => {
  try {
    return localStorage.getItem(key) === 'out'
  } catch {
    return false
  }
}

const write = (out: boolean): void => {
  try {
    if (out) localStorage.setItem(key, 'out')
    else localStorage.removeItem(key)
  } catch {
    // A browser that denies storage keeps no choice.
  }
}

/** The flag of this origin, and its change; it follows other tabs. */
export const useLeftOut = (): [out: boolean, change: (out: boolean) => void] => {
  const [out, setOut] = useState(read)
  const renew = (): void => setOut(read())
  useEffect(() => {
    addEventListener('storage', renew)
    return () => removeEventListener('storage', renew)
  }, [])
  const change = (chosen: boolean): void => {
    write(chosen)
    renew()
  }
  return [out, change]
}

/** Says that this device is left out, with the way back. */
export const LeftOut = ({ undo }: { undo: () => void }) => {
  const { t } = useApp()
  return (
    <>
      {t('device_out')}{' '}
      <button type="button" class="link" onClick={undo}>
        {t('device_count')}
      </button>
    </>
  )
}
