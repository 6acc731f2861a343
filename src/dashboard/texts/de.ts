import type { Dictionary } from '../texts.ts'

export const de: Dictionary = {
  loading: 'Lädt', failed: 'Das hat nicht geklappt.', unreachable: 'Der Dienst ist nicht erreichbar.', retry: 'Noch einmal', close: 'Schließen', copied: 'Kopiert',
  demo_data: 'Demodaten: Die Zahlen ({span}) sind erfunden.',
  lost: 'Keine Verbindung zum Dienst; neuer Versuch läuft.', refused: 'Ihr Konto darf die Zahlen dieser Website nicht sehen. Eine Administratorin darf es.',
  login: 'Anmeldename', password: 'Passwort', log_in: 'Anmelden', log_out: 'Abmelden', logged_in_as: 'Angemeldet als {name}',
  login_help: 'Beim ersten Start hat der Dienst Anmeldename, Passwort und einen Link zum einmaligen Anmelden ausgegeben.',
  wrong_login: 'Anmeldename oder Passwort stimmt nicht.', too_many_logins: 'Zu viele Versuche. Bitte kurz warten und dann noch einmal.',

  first_title: 'Warten auf den ersten Besuch',
  first_paste: 'Fügen Sie diese Zeile in die Seiten Ihrer Website ein, vor </head>:', copy_tag: 'Zeile kopieren',
  first_open: 'Öffnen Sie eine dieser Seiten im Browser.', first_waiting: 'Warten auf den ersten Besuch. Binnen zwei Sekunden danach erscheint hier Ihre Übersicht.',
  first_nothing: 'Es passiert nichts?',
  first_why_role: 'Solange Sie hier angemeldet sind, zählen Ihre eigenen Besuche auf demselben Host nicht. Nehmen Sie ein privates Fenster.',
  first_why_blocker: 'Werbeblocker können das Skript aufhalten. Versuchen Sie es ohne; die Option --tracker-path gibt ihm einen anderen Namen.',
  first_why_host: 'Ist --site-url oder --allowed-hosts gesetzt, zählen nur Besuche dieser Hosts.',
  first_why_signals: 'Browser, die Do Not Track oder Global Privacy Control senden, werden nicht gezählt, sofern die Einstellungen nichts anderes sagen.',

  navigation: 'Ansichten', view_overview: 'Übersicht', view_realtime: 'Echtzeit', view_revenue: 'Umsatz', view_ask: 'Fragen', view_settings: 'Einstellungen',
  options: 'Optionen', language: 'Sprache', theme: 'Farben', theme_system: 'Wie das System', theme_light: 'Hell', theme_dark: 'Dunkel', keyboard: 'Tastatur',
  now_here: 'Besucher jetzt', now_here_one: 'Besucher jetzt', live_help: 'Besucher mit einem Aufruf oder einer Regung in den letzten fünf Minuten',

  choose_period: 'Zeitraum wählen', earlier: 'Früherer Zeitraum', later: 'Späterer Zeitraum', from: 'Von', to: 'Bis', apply: 'Anwenden', wrong_range: 'Der letzte Tag darf nicht vor dem ersten liegen.',
  custom_range: 'Tage wählen', zone_help: 'Tage beginnen und enden in dieser Zeitzone der Website.',
  period_today: 'Heute', period_yesterday: 'Gestern', period_7d: '7 Tage', period_28d: '28 Tage', period_91d: '91 Tage', period_month: 'Dieser Monat', period_last_month: 'Letzter Monat', period_year: 'Dieses Jahr', period_12m: '12 Monate', period_all: 'Gesamte Zeit',
  compare: 'Vergleichen mit', compare_previous: 'dem Zeitraum davor', compare_year: 'denselben Tagen im Vorjahr', compare_custom: 'anderen Tagen', compare_off: 'nichts', toggle_compare: 'Vergleich an und aus',
  interval: 'Verlauf nach', hour: 'Stunde', day: 'Tag', week: 'Woche', month: 'Monat', before: 'davor',
  search_or_filter: 'Suchen oder filtern', escape_help: 'Schließen oder Filter entfernen',

  key_figures: 'Kennzahlen', visitors: 'Besucher', sessions: 'Sitzungen', views: 'Aufrufe', views_per_session: 'Aufrufe je Sitzung', bounce_rate: 'Absprungrate', avg_session_duration: 'Sitzungsdauer',
  more: '{n} mehr', less: '{n} weniger', points_more: '{n} Punkte mehr', points_less: '{n} Punkte weniger', unchanged: 'unverändert', new: 'neu', up: 'gestiegen um', down: 'gefallen um',
  compared_with: 'Verglichen mit {span}.', compared_so_far: 'Verglichen mit {span}, vom letzten Tag nur die Zeit vor {time}.', compared_until: 'Verglichen mit {span} bis {time}.', compared_whole: 'Verglichen mit dem ganzen Zeitraum {span}; heute ist noch nicht vorbei.', partial: 'nur ein Teil seiner Tage', unfinished: 'noch nicht vorbei', chart_of: '{metric} im Verlauf', as_table: 'Als Tabelle zeigen',

  sources: 'Quellen', channels: 'Kanäle', campaigns: 'Kampagnen', utm_sources: 'UTM-Quellen', utm_mediums: 'UTM-Medien', pages: 'Seiten', page: 'Seite', top_pages: 'Top-Seiten', entry_pages: 'Einstieg', exit_pages: 'Ausstieg',
  places: 'Orte', map: 'Karte', countries: 'Länder', regions: 'Regionen', cities: 'Städte', languages: 'Sprachen', devices: 'Geräte', browsers: 'Browser', systems: 'Systeme', screens: 'Bildschirme', events: 'Ereignisse', properties: 'Eigenschaften',
  bounces: 'Absprünge', entries: 'Einstiege', exits: 'Ausstiege', exit_rate: 'Ausstiegsrate', avg_time_on_page: 'Zeit auf der Seite', avg_scroll_depth: 'Gesehen', share: 'Anteil', change: 'Änderung', total: 'Anzahl', value_sum: 'Wert', unknown: 'Unbekannt',
  map_label: 'Weltkarte nach Sitzungen: {names}', n_sessions: '{n} Sitzungen', n_sessions_one: '{n} Sitzung', n_views: '{n} Aufrufe', n_views_one: '{n} Aufruf', n_events: '{n} Ereignisse', n_events_one: '{n} Ereignis', n_visitors: '{n} Besucher', n_visitors_one: '{n} Besucher',
  channel_Direct: 'Direkt', 'channel_AI Assistants': 'KI-Assistenten', 'channel_Organic Search': 'Suche', 'channel_Social Media': 'Soziale Medien', channel_Email: 'E-Mail', channel_Referral: 'Verweise', 'channel_Paid Search': 'Bezahlte Suche', 'channel_Paid Social': 'Bezahlt in sozialen Medien',
  device_desktop: 'Desktop', device_mobile: 'Telefon', device_tablet: 'Tablet', device_tv: 'Fernseher', device_other: 'Andere',

  empty_filters: 'Kein Besuch dieses Zeitraums passt zu den Filtern.', remove_filters: 'Filter entfernen', empty_range: 'Im Zeitraum {span} wurde nichts erfasst.', show_all: 'Gesamte Zeit zeigen',
  empty_campaigns: 'Kein Besuch kam mit Kampagnenangaben. Hängen Sie utm_source, utm_medium und utm_campaign an Links, die Sie verbreiten.',
  empty_countries: 'Kein Land ist bekannt: Das Nachschlagen ist in den Einstellungen aus, oder alle Besuche kamen von privaten Adressen (wird dem Proxy vertraut?).',
  empty_cities: 'Nichts bekannt. Regionen und Städte brauchen eine Städtedatenbank: Holen Sie die freie, oder starten Sie den Dienst mit --geoip-city DATEI.',
  empty_events: 'Noch keine Ereignisse. Schreiben Sie data-footfall-event="name" an einen Knopf oder rufen Sie footfall(\'name\') auf.', empty_properties: 'Dieses Ereignis hatte im Zeitraum keine Eigenschaften.',

  details: 'Details', search: 'Suchen', csv: 'CSV', copy_curl: 'Als curl kopieren', n_rows: '{n} Zeilen', n_rows_one: '{n} Zeile', first_rows: 'davon die ersten {n}', nothing_found: 'Nichts enthält „{text}“.', previous_page: 'Zurück', next_page: 'Weiter', page_of: '{from}–{to} von {all}',
  how_counted: 'Wie wird gezählt?', statement_took: '{n} Zeilen in {time} ms', statement_took_one: '{n} Zeile in {time} ms',

  filter: 'Filter', filters: 'Filter', add_filter: 'Filter hinzufügen', add: 'Hinzufügen', is: 'ist', is_not: 'ist nicht', negate: 'Ins Gegenteil wenden', remove_filter: 'Filter {name} entfernen', filter_by: 'Nach {name} filtern',
  filter_what: 'Was', filter_how: 'Wie', filter_value: 'Wert', filter_help: 'Mehrere Werte, durch Komma getrennt: einer davon genügt.',
  filter_page: 'Seite', filter_entry_page: 'Einstiegsseite', filter_exit_page: 'Ausstiegsseite', filter_channel: 'Kanal', filter_source: 'Quelle', filter_utm_source: 'UTM-Quelle', filter_utm_medium: 'UTM-Medium', filter_utm_campaign: 'Kampagne',
  filter_country: 'Land', filter_region: 'Region', filter_city: 'Stadt', filter_device: 'Gerät', filter_browser: 'Browser', filter_os: 'System', filter_language: 'Sprache', filter_event: 'Ereignis',

  last_minutes: 'in den letzten {n} Minuten', minutes_ago: 'vor {n} Minuten', views_by_minute: 'Aufrufe je Minute', active_pages: 'Seiten in Gebrauch', recent_views: 'Letzte Aufrufe', time: 'Zeit', nobody_now: 'In den letzten Minuten war niemand auf der Website.', nobody_today: 'In den letzten 24 Stunden gab es keinen Aufruf.',

  your_tag: 'Ihre Zeile', save: 'Speichern', saved: 'Gespeichert; gilt ab sofort.', group_collection: 'Erfassung', group_privacy: 'Privatsphäre', group_retention: 'Aufbewahrung', group_places: 'Orte',
  setting_tracking_enabled: 'Besuche zählen', about_tracking_enabled: 'Aus: Es wird gar nichts erfasst.',
  setting_excluded_ips: 'Ausgenommene Adressen', about_excluded_ips: 'Eine Adresse oder ein Netz je Zeile, etwa 192.0.2.7 oder 2001:db8::/32.',
  setting_excluded_roles: 'Ausgenommene Rollen', about_excluded_roles: 'Angemeldete mit einer dieser Rollen werden nicht gezählt; eine je Zeile.',
  setting_consent_mode: 'Einwilligung', about_consent_mode: 'Was mit und ohne Einwilligung der Besucher erfasst wird.', consent_mode_cookieless: 'Ohne Cookies: Besucher sind einen Tag lang bekannt', consent_mode_full: 'Voll: mit Einwilligung auch an späteren Tagen', consent_mode_disabled_until_consent: 'Nichts ohne Einwilligung',
  setting_respect_dnt: 'Do Not Track achten', about_respect_dnt: 'Browser, die DNT senden, werden nicht gezählt.', setting_respect_gpc: 'Global Privacy Control achten', about_respect_gpc: 'Browser, die Sec-GPC senden, werden nicht gezählt.',
  setting_retention_mode: 'Nach Ablauf werden einzelne Besuche', about_retention_mode: 'Tagesberichte bleiben in jedem Fall; Filter brauchen einzelne Besuche.', retention_mode_delete: 'gelöscht', retention_mode_archive: 'archiviert', retention_mode_forever: 'dauerhaft behalten',
  setting_retention_days: 'Tage, die einzelne Besuche bleiben', about_retention_days: 'Von 30 bis 3.650.', setting_geoip_enabled: 'Orte nachschlagen', about_geoip_enabled: 'Länder aus der eingebauten Datenbank, Städte, wo eine Städtedatenbank da ist.',
  setting_geoip_license_key: 'Lizenzschlüssel für Städtedaten', about_geoip_license_key: 'Ein Schlüssel von MaxMind, als SCHLÜSSEL oder KONTO:SCHLÜSSEL; die Datenbank wird sofort geholt und wöchentlich erneuert. Wird nie wieder gezeigt; die Maske stehen lassen heißt: behalten.', place_data: 'Ortsdaten:',

  net_revenue: 'Nettoumsatz', gross_revenue: 'Bruttoumsatz', revenue: 'Umsatz', orders: 'Bestellungen', average_order_value: 'Je Bestellung', refund_rate: 'Erstattungsrate', refund_total: 'Erstattet', tax_and_shipping: 'Steuer und Versand', units: 'Stück', refunded_units: 'Stück zurück', refunded_revenue: 'Zurück', discount_total: 'Rabatt',
  origins: 'Woher Bestellungen kamen', goods: 'Was verkauft wurde', products: 'Produkte', coupons: 'Gutscheine', landing_pages: 'Einstiegsseiten', funnel: 'Vom Produkt zum Kauf', refunds: 'Erstattungen', other_currencies: 'Bestellungen in anderen Währungen fehlen hier: {names}.', filters_not_here: 'Die Filter reichen nicht bis zu den Bestellungen.',
  stage_product_view: 'Produkt gesehen', stage_add_to_cart: 'Im Warenkorb', stage_checkout_start: 'Zur Kasse', stage_purchase: 'Gekauft', step_rate: '{rate} der Stufe davor', overall_conversion: '{rate} der breitesten Stufe wurden zu Käufen.',
  empty_orders: 'In diesem Zeitraum wurde keine Bestellung bezahlt.', empty_refunds: 'In diesem Zeitraum wurde nichts erstattet.', empty_funnel: 'Kein Besuch dieses Zeitraums sandte eines der Ereignisse product_view, add_to_cart und checkout_start.',
  no_revenue: 'Diese Version des Dienstes hat keine Umsatzberichte.', no_shop: 'Kein Shop ist verbunden', no_shop_how: 'Starten Sie den Dienst mit der Adresse eines WooCommerce-Shops, einem Schlüssel zum Lesen und einem Webhook-Geheimnis:', no_shop_also: 'Bestellungen kommen auch über POST /orders oder footfall import --format woocommerce-orders herein. Mit der ersten erscheint diese Seite.',
  shop: 'Shop', orders_stored: 'Gespeicherte Bestellungen', webhook_last: 'Letzter Webhook', webhook_rejected: 'Abgewiesene Webhooks', never: 'nie', backfill: 'Import alter Bestellungen', backfill_idle: 'nicht begonnen', backfill_pending: 'beginnt gleich', backfill_running: 'läuft', backfill_done: 'fertig', backfill_failed: 'gescheitert', backfill_cancelled: 'abgebrochen', backfill_start: 'Alle Bestellungen importieren', backfill_cancel: 'Import abbrechen',

  no_advisor: 'Diese Version des Dienstes hat keinen Ratgeber.', ask_title: 'Fragen Sie nach Ihrer Website', ask_search: 'Fragen Sie mit eigenen Worten', pinned: 'Angeheftet', pin: 'Anheften', unpin: 'Lösen', move_forward: 'Nach vorn', move_back: 'Nach hinten', all_questions: 'Alle Fragen', coming_soon: 'Das lässt sich noch nicht beantworten.', at_most: 'höchstens {value}',
  anomaly_none: '{day} war ein gewöhnlicher Tag.', anomaly_up: '{day} war ungewöhnlich stark.', anomaly_down: '{day} war ungewöhnlich schwach.', anomaly_current: 'An dem Tag', anomaly_baseline: 'Üblich', anomaly_below: 'Ungewöhnlich unter', anomaly_above: 'Ungewöhnlich über', verdict_increase: 'Mehr Budget', verdict_yes: 'Ja', verdict_no: 'Nein', verdict_both: 'Beides', verdict_not_enough_data: 'Zu wenige Daten',

  view_system: 'System', diagnostics: 'Diagnose', no_findings: 'Alles in Ordnung.', version: 'Version', licenses: 'Lizenzen der Bestandteile', database: 'Datenbank', disk_free: 'Frei auf dem Datenträger', last_hit: 'Letzter Besuch', accepted_24h: 'Angenommen in 24 Stunden', refused_24h: 'Abgewiesen in 24 Stunden', integrity: 'Unversehrtheit',
  jobs: 'Aufgaben', job: 'Aufgabe', last_run: 'Zuletzt', next_run: 'Nächstes Mal', state: 'Zustand', run_now: 'Jetzt ausführen', running: 'Läuft …', stale: 'überfällig', in_order: 'in Ordnung',
  audit: 'Datenschutzprüfung', audit_about: 'Was diese Installation über Besucher behält, an ihr selbst gemessen.', audit_run: 'Messen', audit_score: '{score} von 100',
  self_test: 'Selbsttest', self_test_about: 'Echte Arbeit an Wegwerfdateien; nichts von Ihnen wird verändert.', self_test_run: 'Testen', self_test_ok: 'Alles funktioniert.', self_test_failed: 'Eine Prüfung ist gescheitert.', check_pass: 'Bestanden', check_info: 'Hinweis', check_warning: 'Warnung', check_critical: 'Kritisch', check_fail: 'Gescheitert',
  fetch_cities: 'Freie Städtedatenbank holen', cities_pending: 'Sie wird geholt; Besuche danach haben Städte.', cities_ready: 'Sie ist da; Besuche von jetzt an haben Städte.', zone_changed: 'Vor dem {day} sind Tage die von {zone}.',
  times: 'Zeiten', by_hour: 'Stunden', by_weekday: 'Wochentage', access: 'Zugang', access_about: 'Benutzer und Anwendungspasswörter entstehen auf der Befehlszeile:',
}
