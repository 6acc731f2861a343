import { useApp } from '../app/app-context.ts'

type SaveBarProps = {
  disabled: boolean
  isSaved: boolean
  /** Why it was not saved; empty if nothing is to be said here. */
  problem: string
}

/** The button that saves a form, and next to it how that ended. */
export const SaveBar = ({ disabled, isSaved, problem }: SaveBarProps) => {
  const { t } = useApp()
  return (
    <div class="tools">
      <button type="submit" class="primary" disabled={disabled}>
        {t('save')}
      </button>
      <span role="status" class="good">
        {isSaved ? t('saved') : ''}
      </span>
      {problem !== '' && (
        <span class="bad" role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
