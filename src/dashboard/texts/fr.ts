import type { Dictionary } from '../texts.ts'

export const fr: Dictionary = {
  loading: 'Chargement', failed: 'Cela n’a pas fonctionné.', unreachable: 'Le service est injoignable.', retry: 'Réessayer', close: 'Fermer', copied: 'Copié',
  demo_data: 'Données de démonstration : les chiffres ({span}) sont inventés.',
  lost: 'Pas de connexion au service ; nouvel essai en cours.', refused: 'Votre compte ne peut pas voir les chiffres de ce site. Un administrateur le peut.',
  login: 'Identifiant', password: 'Mot de passe', log_in: 'Se connecter', log_out: 'Se déconnecter', logged_in_as: 'Connecté : {name}',
  login_help: 'Au premier démarrage, le service a affiché l’identifiant, un mot de passe et un lien de connexion à usage unique.',
  wrong_login: 'L’identifiant ou le mot de passe est incorrect.', too_many_logins: 'Trop d’essais. Attendez un instant, puis réessayez.',

  first_title: 'En attente de la première visite',
  first_paste: 'Collez cette ligne dans les pages de votre site, avant </head> :', copy_tag: 'Copier la ligne',
  first_open: 'Ouvrez l’une de ces pages dans votre navigateur.', first_waiting: 'En attente de la première visite. Le tableau de bord apparaît ici dans les deux secondes.',
  first_nothing: 'Rien ne se passe ?',
  first_why_role: 'Tant que vous êtes connecté ici, vos propres visites sur le même hôte ne comptent pas. Utilisez une fenêtre privée.',
  first_why_blocker: 'Un bloqueur de publicité peut arrêter le script. Essayez sans ; l’option --tracker-path lui donne un autre nom.',
  first_why_host: 'Avec --site-url ou --allowed-hosts, seules les visites de ces hôtes comptent.',
  first_why_signals: 'Les navigateurs qui envoient Do Not Track ou Global Privacy Control ne sont pas comptés, sauf réglage contraire.',

  navigation: 'Vues', view_overview: 'Aperçu', view_realtime: 'Temps réel', view_revenue: 'Revenus', view_ask: 'Questions', view_settings: 'Réglages',
  options: 'Options', language: 'Langue', theme: 'Couleurs', theme_system: 'Comme le système', theme_light: 'Clair', theme_dark: 'Sombre', keyboard: 'Clavier',
  now_here: 'visiteurs en ce moment', now_here_one: 'visiteur en ce moment', live_help: 'Visiteurs avec une vue ou une activité dans les cinq dernières minutes',

  choose_period: 'Choisir la période', earlier: 'Période précédente', later: 'Période suivante', from: 'Du', to: 'Au', apply: 'Appliquer', wrong_range: 'Le dernier jour ne peut précéder le premier.',
  custom_range: 'Choisir des jours', zone_help: 'Les jours commencent et finissent dans ce fuseau horaire du site.',
  period_today: 'Aujourd’hui', period_yesterday: 'Hier', period_7d: '7 jours', period_28d: '28 jours', period_91d: '91 jours', period_month: 'Ce mois', period_last_month: 'Mois dernier', period_year: 'Cette année', period_12m: '12 mois', period_all: 'Depuis le début',
  compare: 'Comparer avec', compare_previous: 'la période précédente', compare_year: 'les mêmes jours de l’an dernier', compare_custom: 'd’autres jours', compare_off: 'rien', toggle_compare: 'Comparaison oui ou non',
  interval: 'Courbe par', hour: 'heure', day: 'jour', week: 'semaine', month: 'mois', before: 'avant',
  search_or_filter: 'Chercher ou filtrer', escape_help: 'Fermer, ou retirer les filtres',

  key_figures: 'Chiffres clés', visitors: 'Visiteurs', sessions: 'Sessions', views: 'Vues', views_per_session: 'Vues par session', bounce_rate: 'Taux de rebond', avg_session_duration: 'Durée de session',
  more: '{n} de plus', less: '{n} de moins', points_more: '{n} points de plus', points_less: '{n} points de moins', unchanged: 'inchangé', new: 'nouveau', up: 'en hausse de', down: 'en baisse de',
  compared_with: 'Comparé à : {span}.', compared_so_far: 'Comparé à : {span}, le dernier jour seulement jusqu’à {time}.', compared_until: 'Comparé à : {span}, jusqu’à {time}.', compared_whole: 'Comparé à la période entière {span} ; la journée n’est pas finie.', partial: 'une partie de ses jours seulement', unfinished: 'pas encore fini', chart_of: '{metric} dans le temps', as_table: 'Afficher en tableau',

  sources: 'Sources', channels: 'Canaux', campaigns: 'Campagnes', utm_sources: 'Sources UTM', utm_mediums: 'Supports UTM', pages: 'Pages', page: 'Page', top_pages: 'Pages vues', entry_pages: 'Entrées', exit_pages: 'Sorties',
  places: 'Lieux', map: 'Carte', countries: 'Pays', regions: 'Régions', cities: 'Villes', languages: 'Langues', devices: 'Appareils', browsers: 'Navigateurs', systems: 'Systèmes', screens: 'Écrans', events: 'Événements', properties: 'Propriétés',
  bounces: 'Rebonds', entries: 'Entrées', exits: 'Sorties', exit_rate: 'Taux de sortie', avg_time_on_page: 'Temps sur la page', avg_scroll_depth: 'Part vue', share: 'Part', change: 'Évolution', total: 'Total', value_sum: 'Valeur', unknown: 'Inconnu',
  map_label: 'Carte du monde par sessions : {names}', n_sessions: '{n} sessions', n_sessions_one: '{n} session', n_views: '{n} vues', n_views_one: '{n} vue', n_events: '{n} événements', n_events_one: '{n} événement', n_visitors: '{n} visiteurs', n_visitors_one: '{n} visiteur',
  channel_Direct: 'Direct', 'channel_AI Assistants': 'Assistants IA', 'channel_Organic Search': 'Recherche', 'channel_Social Media': 'Réseaux sociaux', channel_Email: 'E-mail', channel_Referral: 'Sites référents', 'channel_Paid Search': 'Recherche payante', 'channel_Paid Social': 'Réseaux sociaux payants',
  device_desktop: 'Ordinateur', device_mobile: 'Téléphone', device_tablet: 'Tablette', device_tv: 'Téléviseur', device_other: 'Autre',

  empty_filters: 'Aucune visite de cette période ne correspond aux filtres.', remove_filters: 'Retirer les filtres', empty_range: 'Rien n’a été enregistré pour la période {span}.', show_all: 'Tout afficher',
  empty_campaigns: 'Aucune visite n’avait de balises de campagne. Ajoutez utm_source, utm_medium et utm_campaign aux liens que vous partagez.',
  empty_countries: 'Aucun pays connu : la recherche est désactivée dans les réglages, ou toutes les visites viennent d’adresses privées (le proxy est-il de confiance ?).',
  empty_cities: 'Rien de connu. Régions et villes exigent une base de villes : téléchargez la base libre, ou démarrez le service avec --geoip-city FICHIER.',
  empty_events: 'Pas encore d’événements. Mettez data-footfall-event="nom" sur un bouton, ou appelez footfall(\'nom\').', empty_properties: 'Cet événement n’avait pas de propriétés dans cette période.',

  details: 'Détails', search: 'Chercher', csv: 'CSV', copy_curl: 'Copier en curl', n_rows: '{n} lignes', n_rows_one: '{n} ligne', first_rows: 'les {n} premières', nothing_found: 'Rien ne contient « {text} ».', previous_page: 'Retour', next_page: 'Suite', page_of: '{from}–{to} sur {all}',
  how_counted: 'Comment est-ce compté ?', statement_took: '{n} lignes en {time} ms', statement_took_one: '{n} ligne en {time} ms',

  filter: 'Filtre', filters: 'Filtres', add_filter: 'Ajouter un filtre', add: 'Ajouter', is: 'est', is_not: 'n’est pas', negate: 'Inverser', remove_filter: 'Retirer le filtre {name}', filter_by: 'Filtrer par {name}',
  filter_what: 'Quoi', filter_how: 'Comment', filter_value: 'Valeur', filter_help: 'Plusieurs valeurs séparées par des virgules : l’une d’elles suffit.',
  filter_page: 'Page', filter_entry_page: 'Page d’entrée', filter_exit_page: 'Page de sortie', filter_channel: 'Canal', filter_source: 'Source', filter_utm_source: 'Source UTM', filter_utm_medium: 'Support UTM', filter_utm_campaign: 'Campagne',
  filter_country: 'Pays', filter_region: 'Région', filter_city: 'Ville', filter_device: 'Appareil', filter_browser: 'Navigateur', filter_os: 'Système', filter_language: 'Langue', filter_event: 'Événement',

  last_minutes: 'dans les {n} dernières minutes', minutes_ago: 'il y a {n} minutes', views_by_minute: 'Vues par minute', active_pages: 'Pages en cours', recent_views: 'Dernières vues', time: 'Heure', nobody_now: 'Personne sur le site ces dernières minutes.', nobody_today: 'Aucune vue dans les dernières 24 heures.',

  your_tag: 'Votre balise', save: 'Enregistrer', saved: 'Enregistré ; en vigueur dès maintenant.', group_collection: 'Collecte', group_privacy: 'Vie privée', group_retention: 'Conservation', group_places: 'Lieux',
  setting_tracking_enabled: 'Compter les visites', about_tracking_enabled: 'Désactivé : rien n’est enregistré.',
  setting_excluded_ips: 'Adresses exclues', about_excluded_ips: 'Une adresse ou un réseau par ligne, comme 192.0.2.7 ou 2001:db8::/32.',
  setting_excluded_roles: 'Rôles exclus', about_excluded_roles: 'Les utilisateurs connectés ayant l’un de ces rôles ne sont pas comptés ; un par ligne.',
  setting_consent_mode: 'Consentement', about_consent_mode: 'Ce qui est enregistré avec et sans le consentement du visiteur.', consent_mode_cookieless: 'Sans cookie : visiteurs connus pour un jour', consent_mode_full: 'Complet : reconnus plus tard avec consentement', consent_mode_disabled_until_consent: 'Rien sans consentement',
  setting_respect_dnt: 'Respecter Do Not Track', about_respect_dnt: 'Les navigateurs qui envoient DNT ne sont pas comptés.', setting_respect_gpc: 'Respecter Global Privacy Control', about_respect_gpc: 'Les navigateurs qui envoient Sec-GPC ne sont pas comptés.',
  setting_retention_mode: 'À leur terme, les visites sont', about_retention_mode: 'Les rapports par jour restent ; les filtres ont besoin des visites.', retention_mode_delete: 'supprimées', retention_mode_archive: 'archivées', retention_mode_forever: 'gardées toujours',
  setting_retention_days: 'Jours de conservation des visites', about_retention_days: 'De 30 à 3 650.', setting_geoip_enabled: 'Rechercher les lieux', about_geoip_enabled: 'Pays par la base intégrée, villes si une base de villes est présente.',
  setting_geoip_license_key: 'Clé de licence des villes', about_geoip_license_key: 'Une clé de MaxMind, sous la forme CLÉ ou COMPTE:CLÉ ; la base est téléchargée aussitôt et renouvelée chaque semaine. Jamais affichée à nouveau ; laissez le masque pour la garder.', place_data: 'Données des lieux :',

  net_revenue: 'Revenu net', gross_revenue: 'Revenu brut', revenue: 'Revenu', orders: 'Commandes', average_order_value: 'Panier moyen', refund_rate: 'Taux de remboursement', refund_total: 'Remboursé', tax_and_shipping: 'Taxes et livraison', units: 'Unités', refunded_units: 'Unités rendues', refunded_revenue: 'Rendu', discount_total: 'Remise',
  origins: 'D’où viennent les commandes', goods: 'Ce qui a été vendu', products: 'Produits', coupons: 'Codes promo', landing_pages: 'Pages d’arrivée', funnel: 'Du produit à l’achat', refunds: 'Remboursements', other_currencies: 'Les commandes en d’autres monnaies sont exclues : {names}.', filters_not_here: 'Les filtres n’atteignent pas les commandes.',
  stage_product_view: 'Produit vu', stage_add_to_cart: 'Au panier', stage_checkout_start: 'Paiement', stage_purchase: 'Achat', step_rate: '{rate} de l’étape précédente', overall_conversion: '{rate} de l’étape la plus large ont acheté.',
  empty_orders: 'Aucune commande payée dans cette période.', empty_refunds: 'Rien n’a été remboursé dans cette période.', empty_funnel: 'Aucune visite de cette période n’a envoyé product_view, add_to_cart ou checkout_start.',
  no_revenue: 'Cette version du service n’a pas de rapports de revenus.', no_shop: 'Aucune boutique n’est connectée', no_shop_how: 'Démarrez le service avec l’adresse d’une boutique WooCommerce, une clé de lecture et un secret de webhook :', no_shop_also: 'Les commandes arrivent aussi par POST /orders ou footfall import --format woocommerce-orders. Cette page apparaît avec la première.',
  shop: 'Boutique', orders_stored: 'Commandes enregistrées', webhook_last: 'Dernier webhook', webhook_rejected: 'Webhooks refusés', never: 'jamais', backfill: 'Import des anciennes commandes', backfill_idle: 'pas commencé', backfill_pending: 'va commencer', backfill_running: 'en cours', backfill_done: 'terminé', backfill_failed: 'échoué', backfill_cancelled: 'annulé', backfill_start: 'Importer toutes les commandes', backfill_cancel: 'Annuler l’import',

  no_advisor: 'Cette version du service n’a pas de conseiller.', ask_title: 'Interrogez votre site', ask_search: 'Demandez avec vos mots', pinned: 'Épinglées', pin: 'Épingler', unpin: 'Détacher', move_forward: 'Avancer', move_back: 'Reculer', all_questions: 'Toutes les questions', coming_soon: 'Impossible d’y répondre pour l’instant.', at_most: 'au plus {value}',
  anomaly_none: '{day} : un jour ordinaire.', anomaly_up: '{day} : anormalement haut.', anomaly_down: '{day} : anormalement bas.', anomaly_current: 'Ce jour', anomaly_baseline: 'D’habitude', anomaly_below: 'Anormal en dessous de', anomaly_above: 'Anormal au-dessus de', verdict_increase: 'Plus de budget', verdict_yes: 'Oui', verdict_no: 'Non', verdict_both: 'Les deux', verdict_not_enough_data: 'Trop peu de données',

  view_system: 'Système', diagnostics: 'Diagnostic', no_findings: 'Tout va bien.', version: 'Version', licenses: 'Licences des composants', database: 'Base de données', disk_free: 'Libre sur le disque', last_hit: 'Dernière visite reçue', accepted_24h: 'Acceptées en 24 heures', refused_24h: 'Refusées en 24 heures', integrity: 'Intégrité',
  jobs: 'Tâches', job: 'Tâche', last_run: 'Dernière fois', next_run: 'Prochaine fois', state: 'État', run_now: 'Lancer', running: 'En cours …', stale: 'en retard', in_order: 'en ordre',
  audit: 'Audit de confidentialité', audit_about: 'Ce que cette installation garde des visiteurs, mesuré sur elle-même.', audit_run: 'Mesurer', audit_score: '{score} sur 100',
  self_test: 'Autotest', self_test_about: 'Du vrai travail sur des fichiers jetables ; rien de vôtre n’est modifié.', self_test_run: 'Tester', self_test_ok: 'Tout fonctionne.', self_test_failed: 'Un contrôle a échoué.', check_pass: 'Réussi', check_info: 'Note', check_warning: 'Avertissement', check_critical: 'Critique', check_fail: 'Échoué',
  fetch_cities: 'Télécharger la base de villes libre', cities_pending: 'Téléchargement en cours ; les visites suivantes auront des villes.', cities_ready: 'Elle est là ; les visites à venir auront des villes.', zone_changed: 'Avant le {day}, les jours sont ceux de {zone}.',
  times: 'Heures', by_hour: 'Heures', by_weekday: 'Jours de la semaine', access: 'Accès', access_about: 'Les utilisateurs et mots de passe d’application se créent en ligne de commande :',
}
