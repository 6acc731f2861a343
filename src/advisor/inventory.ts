import type { Category, Question } from './question.ts'
import { campaignsAndUtm } from './questions/campaigns.ts'
import { referrers } from './questions/channels.ts'
import { devicesAndBrowsers } from './questions/devices.ts'
import { engagement } from './questions/engagement.ts'
import { eventsAndPrivacy } from './questions/events.ts'
import { geography } from './questions/geography.ts'
import { pagesAndContent } from './questions/pages.ts'
import { revenue } from './questions/revenue.ts'
import { tracking } from './questions/tracking.ts'
import { traffic } from './questions/traffic.ts'

/** The ten categories and their questions, in display order. */
export const categories: readonly Category[] = [
  traffic,
  tracking,
  pagesAndContent,
  referrers,
  campaignsAndUtm,
  geography,
  devicesAndBrowsers,
  engagement,
  revenue,
  eventsAndPrivacy,
]

export const questions: readonly Question[] = categories.flatMap(category => category.questions)

const byId = new Map<string, Question>(questions.map(question => [question.id, question]))

export const findQuestion = (id: string): Question | undefined => byId.get(id)

const categoryOf = new Map<string, Category>(
  categories.flatMap(category => category.questions.map(({ id }) => [id, category] as const)),
)

export const categoryOfQuestion = ({ id }: Question): Category => categoryOf.get(id) ?? traffic
