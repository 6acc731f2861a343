// English: its keys are those that every language has.
export const en = {
  loading: 'Loading', failed: 'That did not work.', unreachable: 'The service cannot be reached.', retry: 'Try again', close: 'Close', copied: 'Copied',
  demo_data: 'Demo data: the figures ({span}) are made up.',
  lost: 'No connection to the service; trying again.', refused: 'Your account may not see the figures of this site. An administrator may.',
  login: 'Login', password: 'Password', log_in: 'Log in', log_out: 'Log out', logged_in_as: 'Logged in as {name}',
  login_help: 'The first start of the service printed the login, a password and a link that logs you in once.',
  wrong_login: 'The login or the password is not right.', too_many_logins: 'Too many attempts. Wait a moment, then try again.',

  first_title: 'Waiting for your first visit',
  first_paste: 'Paste this line into the pages of your site, before </head>:', copy_tag: 'Copy the line',
  first_open: 'Open one of these pages in your browser.', first_waiting: 'Waiting for your first visit. This page turns into your dashboard within two seconds of it.',
  first_nothing: 'Nothing happens?',
  first_why_role: 'While you are logged in here, your own visits do not count if the site has the same host. Use a private window.',
  first_why_blocker: 'Ad blockers may stop the script. Try without one; the option --tracker-path gives it another name.',
  first_why_host: 'With --site-url or --allowed-hosts set, only visits of these hosts count.',
  first_why_signals: 'Browsers that send Do Not Track or Global Privacy Control are not counted, unless the settings say otherwise.',

  navigation: 'Views', view_overview: 'Overview', view_realtime: 'Realtime', view_revenue: 'Revenue', view_ask: 'Ask', view_settings: 'Settings',
  options: 'Options', language: 'Language', theme: 'Colours', theme_system: 'As the system', theme_light: 'Light', theme_dark: 'Dark', keyboard: 'Keyboard',
  now_here: 'visitors now', now_here_one: 'visitor now', live_help: 'Visitors with a view or engagement in the last five minutes',

  choose_period: 'Choose the period', earlier: 'Earlier period', later: 'Later period', from: 'From', to: 'To', apply: 'Apply', wrong_range: 'The last day must not be before the first.',
  custom_range: 'Choose days', zone_help: 'Days begin and end in this time zone of the site.',
  period_today: 'Today', period_yesterday: 'Yesterday', period_7d: '7 days', period_28d: '28 days', period_91d: '91 days', period_month: 'This month', period_last_month: 'Last month', period_year: 'This year', period_12m: '12 months', period_all: 'All time',
  compare: 'Compare with', compare_previous: 'the period before', compare_year: 'the same days last year', compare_custom: 'other days', compare_off: 'nothing', toggle_compare: 'Comparison on and off',
  interval: 'Chart by', hour: 'hour', day: 'day', week: 'week', month: 'month', before: 'before',
  search_or_filter: 'Search or filter', escape_help: 'Close, or remove the filters',

  key_figures: 'Key figures', visitors: 'Visitors', sessions: 'Sessions', views: 'Views', views_per_session: 'Views per session', bounce_rate: 'Bounce rate', avg_session_duration: 'Session duration',
  more: '{n} more', less: '{n} less', points_more: '{n} points more', points_less: '{n} points less', unchanged: 'unchanged', new: 'new', up: 'up', down: 'down',
  compared_with: 'Compared with {span}.', compared_so_far: 'Compared with {span}, of its last day only what happened before {time}.', compared_until: 'Compared with {span} until {time}.', compared_whole: 'Compared with the whole of {span}; today is not over.', partial: 'only some of its days', unfinished: 'not over yet', chart_of: '{metric} over time', as_table: 'Show as table',

  sources: 'Sources', channels: 'Channels', campaigns: 'Campaigns', utm_sources: 'UTM sources', utm_mediums: 'UTM media', pages: 'Pages', page: 'Page', top_pages: 'Top pages', entry_pages: 'Entry pages', exit_pages: 'Exit pages',
  places: 'Places', map: 'Map', countries: 'Countries', regions: 'Regions', cities: 'Cities', languages: 'Languages', devices: 'Devices', browsers: 'Browsers', systems: 'Systems', screens: 'Screens', events: 'Events', properties: 'Properties',
  bounces: 'Bounces', entries: 'Entries', exits: 'Exits', exit_rate: 'Exit rate', avg_time_on_page: 'Time on page', avg_scroll_depth: 'Seen of the page', share: 'Share', change: 'Change', total: 'Total', value_sum: 'Value', unknown: 'Unknown',
  map_label: 'Map of the world by sessions: {names}', n_sessions: '{n} sessions', n_sessions_one: '{n} session', n_views: '{n} views', n_views_one: '{n} view', n_events: '{n} events', n_events_one: '{n} event', n_visitors: '{n} visitors', n_visitors_one: '{n} visitor',
  channel_Direct: 'Direct', 'channel_AI Assistants': 'AI assistants', 'channel_Organic Search': 'Organic search', 'channel_Social Media': 'Social media', channel_Email: 'Email', channel_Referral: 'Referral', 'channel_Paid Search': 'Paid search', 'channel_Paid Social': 'Paid social',
  device_desktop: 'Desktop', device_mobile: 'Phone', device_tablet: 'Tablet', device_tv: 'Television', device_other: 'Other',

  empty_filters: 'No visit in this period fits the filters.', remove_filters: 'Remove the filters', empty_range: 'Nothing was recorded from {span}.', show_all: 'Show all time',
  empty_campaigns: 'No visit came with campaign tags. Add utm_source, utm_medium and utm_campaign to the links that you share.',
  empty_countries: 'No country is known: lookup is off in the settings, or all visits came from private addresses (is the proxy trusted?).',
  empty_cities: 'None is known. Regions and cities need a city database: fetch the free one, or start the service with --geoip-city FILE.',
  empty_events: 'No events yet. Put data-footfall-event="name" on a button, or call footfall(\'name\').', empty_properties: 'This event carried no properties in this period.',

  details: 'Details', search: 'Search', csv: 'CSV', copy_curl: 'Copy as curl', n_rows: '{n} rows', n_rows_one: '{n} row', first_rows: 'the first {n} of them', nothing_found: 'Nothing contains “{text}”.', previous_page: 'Back', next_page: 'Next', page_of: '{from}–{to} of {all}',
  how_counted: 'How is this counted?', statement_took: '{n} rows in {time} ms', statement_took_one: '{n} row in {time} ms',

  filter: 'Filter', filters: 'Filters', add_filter: 'Add a filter', add: 'Add', is: 'is', is_not: 'is not', negate: 'Turn into its opposite', remove_filter: 'Remove the filter {name}', filter_by: 'Filter by {name}',
  filter_what: 'What', filter_how: 'How', filter_value: 'Value', filter_help: 'Several values, separated by commas, mean any of them.',
  filter_page: 'Page', filter_entry_page: 'Entry page', filter_exit_page: 'Exit page', filter_channel: 'Channel', filter_source: 'Source', filter_utm_source: 'UTM source', filter_utm_medium: 'UTM medium', filter_utm_campaign: 'Campaign',
  filter_country: 'Country', filter_region: 'Region', filter_city: 'City', filter_device: 'Device', filter_browser: 'Browser', filter_os: 'System', filter_language: 'Language', filter_event: 'Event',

  last_minutes: 'in the last {n} minutes', minutes_ago: '{n} minutes ago', views_by_minute: 'Views by minute', active_pages: 'Pages in use', recent_views: 'Latest views', time: 'Time', nobody_now: 'Nobody has been on the site in the last minutes.', nobody_today: 'There has been no view in the last 24 hours.',

  your_tag: 'Your tag', save: 'Save', saved: 'Saved; in effect now.', group_collection: 'Collection', group_privacy: 'Privacy', group_retention: 'Retention', group_places: 'Places',
  setting_tracking_enabled: 'Count visits', about_tracking_enabled: 'Off: nothing is recorded at all.',
  setting_excluded_ips: 'Excluded addresses', about_excluded_ips: 'One address or network a line, such as 192.0.2.7 or 2001:db8::/32.',
  setting_excluded_roles: 'Excluded roles', about_excluded_roles: 'Logged-in users with one of these roles are not counted; one a line.',
  setting_consent_mode: 'Consent', about_consent_mode: 'What is recorded with and without a visitor’s consent.', consent_mode_cookieless: 'Cookieless: visitors are known for a day', consent_mode_full: 'Full: known on later days with consent', consent_mode_disabled_until_consent: 'Nothing without consent',
  setting_respect_dnt: 'Respect Do Not Track', about_respect_dnt: 'Browsers that send DNT are not counted.', setting_respect_gpc: 'Respect Global Privacy Control', about_respect_gpc: 'Browsers that send Sec-GPC are not counted.',
  setting_retention_mode: 'When their time is over, single visits are', about_retention_mode: 'Reports by day stay in any case; filters need single visits.', retention_mode_delete: 'deleted', retention_mode_archive: 'archived', retention_mode_forever: 'kept for good',
  setting_retention_days: 'Days to keep single visits', about_retention_days: 'From 30 to 3,650.', setting_geoip_enabled: 'Look up places', about_geoip_enabled: 'Countries from the built-in database, cities where a city database is present.',
  setting_geoip_license_key: 'Licence key for city data', about_geoip_license_key: 'A key of MaxMind, as KEY or ACCOUNT:KEY; the database is fetched at once and renewed weekly. Never shown again; leave the mask to keep it.', place_data: 'Place data:',

  net_revenue: 'Net revenue', gross_revenue: 'Gross revenue', revenue: 'Revenue', orders: 'Orders', average_order_value: 'Average order', refund_rate: 'Refund rate', refund_total: 'Refunded', tax_and_shipping: 'Tax and shipping', units: 'Units', refunded_units: 'Units returned', refunded_revenue: 'Returned', discount_total: 'Discount',
  origins: 'Where orders came from', goods: 'What was sold', products: 'Products', coupons: 'Coupons', landing_pages: 'Landing pages', funnel: 'From product to purchase', refunds: 'Refunds', other_currencies: 'Orders in other currencies are left out: {names}.', filters_not_here: 'The filters do not reach orders.',
  stage_product_view: 'Product seen', stage_add_to_cart: 'In the cart', stage_checkout_start: 'Checkout', stage_purchase: 'Purchase', step_rate: '{rate} of the stage before', overall_conversion: '{rate} of the widest stage became purchases.',
  empty_orders: 'No order was paid in this period.', empty_refunds: 'Nothing was refunded in this period.', empty_funnel: 'No visit of this period sent one of the events product_view, add_to_cart and checkout_start.',
  no_revenue: 'This version of the service has no revenue reports.', no_shop: 'No shop is connected', no_shop_how: 'Start the service with the address of a WooCommerce shop, a key that may read, and a webhook secret:', no_shop_also: 'Orders also come in by POST /orders, or by footfall import --format woocommerce-orders. This page appears with the first of them.',
  shop: 'Shop', orders_stored: 'Orders stored', webhook_last: 'Last webhook', webhook_rejected: 'Webhooks refused', never: 'never', backfill: 'Import of old orders', backfill_idle: 'not started', backfill_pending: 'about to start', backfill_running: 'running', backfill_done: 'done', backfill_failed: 'failed', backfill_cancelled: 'cancelled', backfill_start: 'Import all orders', backfill_cancel: 'Cancel the import',

  no_advisor: 'This version of the service has no advisor.', ask_title: 'Ask about your site', ask_search: 'Ask in your own words', pinned: 'Pinned', pin: 'Pin', unpin: 'Unpin', move_forward: 'Move forward', move_back: 'Move back', all_questions: 'All questions', coming_soon: 'This cannot be answered yet.', at_most: 'at most {value}',
  anomaly_none: '{day} was an ordinary day.', anomaly_up: '{day} was unusually high.', anomaly_down: '{day} was unusually low.', anomaly_current: 'That day', anomaly_baseline: 'Usual', anomaly_below: 'Unusual below', anomaly_above: 'Unusual above', verdict_increase: 'More budget', verdict_yes: 'Yes', verdict_no: 'No', verdict_both: 'Both', verdict_not_enough_data: 'Not enough data',

  view_system: 'System', diagnostics: 'Diagnostics', no_findings: 'Nothing is wrong.', version: 'Version', licenses: 'Licenses of the parts inside', database: 'Database', disk_free: 'Free on the disk', last_hit: 'Last visit received', accepted_24h: 'Accepted in 24 hours', refused_24h: 'Refused in 24 hours', integrity: 'Integrity',
  jobs: 'Jobs', job: 'Job', last_run: 'Last run', next_run: 'Next run', state: 'State', run_now: 'Run now', running: 'Running …', stale: 'overdue', in_order: 'in order',
  audit: 'Privacy audit', audit_about: 'What this installation keeps about visitors, measured on itself.', audit_run: 'Measure', audit_score: '{score} of 100',
  self_test: 'Self-test', self_test_about: 'Real work on throw-away files; nothing of yours is changed.', self_test_run: 'Test', self_test_ok: 'Everything works.', self_test_failed: 'A check failed.', check_pass: 'Passed', check_info: 'Note', check_warning: 'Warning', check_critical: 'Critical', check_fail: 'Failed',
  fetch_cities: 'Fetch the free city database', cities_pending: 'It is being fetched; visits from then on have cities.', cities_ready: 'It is there; visits from now on have cities.', zone_changed: 'Before {day}, days are those of {zone}.',
  times: 'Times', by_hour: 'Hours', by_weekday: 'Weekdays', access: 'Access', access_about: 'Users and application passwords are made at the command line:',
}
