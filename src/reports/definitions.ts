/** One sentence for each metric and the version of its meaning; a meaning that changes gets the next version. */
export const definitions = {
  visitors: { version: 1, text: 'Distinct visitors with a view on a day; over a range the sum of its days, because nobody is known from one day to the next.' },
  sessions: { version: 1, text: 'Visits: activity of one visitor with gaps of at most 30 minutes, counted on the day they began.' },
  views: { version: 1, text: 'Page views, on the day they happened.' },
  bounces: { version: 1, text: 'Sessions with exactly one view and no event other than not_found.' },
  total_duration: { version: 1, text: 'Engaged seconds: time for which pages were visible, on the day of their view.' },
  bounce_rate: { version: 1, text: 'Bounces ÷ sessions; of a page, bounces ÷ entries.' },
  views_per_session: { version: 1, text: 'Views ÷ sessions.' },
  avg_session_duration: { version: 1, text: 'Engaged seconds ÷ sessions.' },
  entries: { version: 1, text: 'Sessions that began on the page.' },
  exits: { version: 1, text: 'Sessions whose last view was the page.' },
  exit_rate: { version: 1, text: 'Exits ÷ views of the page.' },
  avg_time_on_page: { version: 1, text: 'Engaged seconds ÷ views for which an engagement update came.' },
  avg_scroll_depth: { version: 1, text: 'Mean percentage of the page that was seen, over views for which it is known.' },
  share: { version: 1, text: "The row's sessions ÷ all sessions of the range; of a page, views ÷ all views." },
  total: { version: 1, text: 'Events of the name, on the day they happened.' },
  value_sum: { version: 1, text: 'Sum of the values that the events carried.' },
  active_visitors: { version: 1, text: 'Visitors with a view or engagement within the window.' },
} as const

export type Metric = keyof typeof definitions
