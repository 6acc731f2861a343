/** The eight channels, in the order of every report. */
export const channels = [
  'Direct',
  'AI Assistants',
  'Organic Search',
  'Social Media',
  'Email',
  'Referral',
  'Paid Search',
  'Paid Social',
] as const
export type Channel = (typeof channels)[number]
