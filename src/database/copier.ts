// The thread in which commands copy databases: copying keeps a thread busy, which then hears no signal.
import { parentPort, workerData } from 'node:worker_threads'
import { backup, rotateBackups } from './backup.ts'
import { restore } from './restore.ts'

export type Copying = {
  [Task in keyof CopyTasks]: { task: Task; values: Parameters<CopyTasks[Task]> }
}[keyof CopyTasks]
export type CopyTasks = { backup: typeof backup; restore: typeof restore; rotateBackups: typeof rotateBackups }

const copy = (copying: Copying): ReturnType<CopyTasks[keyof CopyTasks]> => {
  switch (copying.task) {
    case 'backup':
      return backup(...copying.values)
    case 'restore':
      return restore(...copying.values)
    case 'rotateBackups':
      return rotateBackups(...copying.values)
  }
}

parentPort?.postMessage(copy(workerData))
