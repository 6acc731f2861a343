import type { Dictionary } from '../texts.ts'

export const es: Dictionary = {
  loading: 'Cargando', failed: 'No ha funcionado.', unreachable: 'No se puede acceder al servicio.', retry: 'Reintentar', close: 'Cerrar', copied: 'Copiado',
  demo_data: 'Datos de demostración: las cifras ({span}) son inventadas.',
  lost: 'Sin conexión con el servicio; reintentando.', refused: 'Su cuenta no puede ver las cifras de este sitio. Un administrador sí puede.',
  login: 'Usuario', password: 'Contraseña', log_in: 'Entrar', log_out: 'Salir', logged_in_as: 'Usuario: {name}',
  login_help: 'En el primer arranque el servicio mostró el usuario, una contraseña y un enlace de acceso de un solo uso.',
  wrong_login: 'El usuario o la contraseña no es correcto.', too_many_logins: 'Demasiados intentos. Espere un momento y vuelva a intentarlo.',

  first_title: 'Esperando la primera visita',
  first_paste: 'Pegue esta línea en las páginas de su sitio, antes de </head>:', copy_tag: 'Copiar la línea',
  first_open: 'Abra una de esas páginas en su navegador.', first_waiting: 'Esperando la primera visita. El panel aparece aquí en dos segundos.',
  first_nothing: '¿No pasa nada?',
  first_why_role: 'Mientras tenga la sesión abierta aquí, sus propias visitas al mismo host no cuentan. Use una ventana privada.',
  first_why_blocker: 'Un bloqueador de anuncios puede detener el script. Pruebe sin él; la opción --tracker-path le da otro nombre.',
  first_why_host: 'Con --site-url o --allowed-hosts solo cuentan las visitas de esos hosts.',
  first_why_signals: 'No se cuentan los navegadores que envían Do Not Track o Global Privacy Control, salvo que los ajustes digan otra cosa.',

  navigation: 'Vistas', view_overview: 'Resumen', view_realtime: 'Tiempo real', view_revenue: 'Ingresos', view_ask: 'Preguntas', view_settings: 'Ajustes',
  options: 'Opciones', language: 'Idioma', theme: 'Colores', theme_system: 'Como el sistema', theme_light: 'Claro', theme_dark: 'Oscuro', keyboard: 'Teclado',
  now_here: 'visitantes ahora', now_here_one: 'visitante ahora', live_help: 'Visitantes con una vista o actividad en los últimos cinco minutos',

  choose_period: 'Elegir el período', earlier: 'Período anterior', later: 'Período siguiente', from: 'Desde', to: 'Hasta', apply: 'Aplicar', wrong_range: 'El último día no puede ser anterior al primero.',
  custom_range: 'Elegir días', zone_help: 'Los días empiezan y terminan en esta zona horaria del sitio.',
  period_today: 'Hoy', period_yesterday: 'Ayer', period_7d: '7 días', period_28d: '28 días', period_91d: '91 días', period_month: 'Este mes', period_last_month: 'Mes pasado', period_year: 'Este año', period_12m: '12 meses', period_all: 'Todo el tiempo',
  compare: 'Comparar con', compare_previous: 'el período anterior', compare_year: 'los mismos días del año pasado', compare_custom: 'otros días', compare_off: 'nada', toggle_compare: 'Comparación sí o no',
  interval: 'Gráfico por', hour: 'hora', day: 'día', week: 'semana', month: 'mes', before: 'antes',
  search_or_filter: 'Buscar o filtrar', escape_help: 'Cerrar, o quitar los filtros',

  key_figures: 'Cifras clave', visitors: 'Visitantes', sessions: 'Sesiones', views: 'Vistas', views_per_session: 'Vistas por sesión', bounce_rate: 'Tasa de rebote', avg_session_duration: 'Duración de sesión',
  more: '{n} más', less: '{n} menos', points_more: '{n} puntos más', points_less: '{n} puntos menos', unchanged: 'sin cambios', new: 'nuevo', up: 'sube', down: 'baja',
  compared_with: 'Comparado con {span}.', compared_so_far: 'Comparado con {span}; del último día, solo hasta las {time}.', compared_until: 'Comparado con {span} hasta las {time}.', compared_whole: 'Comparado con el período completo {span}; el día no ha terminado.', partial: 'solo una parte de sus días', unfinished: 'sin terminar', chart_of: '{metric} en el tiempo', as_table: 'Mostrar como tabla',

  sources: 'Fuentes', channels: 'Canales', campaigns: 'Campañas', utm_sources: 'Fuentes UTM', utm_mediums: 'Medios UTM', pages: 'Páginas', page: 'Página', top_pages: 'Más vistas', entry_pages: 'Entrada', exit_pages: 'Salida',
  places: 'Lugares', map: 'Mapa', countries: 'Países', regions: 'Regiones', cities: 'Ciudades', languages: 'Idiomas', devices: 'Dispositivos', browsers: 'Navegadores', systems: 'Sistemas', screens: 'Pantallas', events: 'Eventos', properties: 'Propiedades',
  bounces: 'Rebotes', entries: 'Entradas', exits: 'Salidas', exit_rate: 'Tasa de salida', avg_time_on_page: 'Tiempo en la página', avg_scroll_depth: 'Parte vista', share: 'Parte', change: 'Cambio', total: 'Total', value_sum: 'Valor', unknown: 'Desconocido',
  map_label: 'Mapa del mundo por sesiones: {names}', n_sessions: '{n} sesiones', n_sessions_one: '{n} sesión', n_views: '{n} vistas', n_views_one: '{n} vista', n_events: '{n} eventos', n_events_one: '{n} evento', n_visitors: '{n} visitantes', n_visitors_one: '{n} visitante',
  channel_Direct: 'Directo', 'channel_AI Assistants': 'Asistentes de IA', 'channel_Organic Search': 'Búsqueda', 'channel_Social Media': 'Redes sociales', channel_Email: 'Correo', channel_Referral: 'Referencias', 'channel_Paid Search': 'Búsqueda de pago', 'channel_Paid Social': 'Redes sociales de pago',
  device_desktop: 'Ordenador', device_mobile: 'Teléfono', device_tablet: 'Tableta', device_tv: 'Televisor', device_other: 'Otros',

  empty_filters: 'Ninguna visita de este período cumple los filtros.', remove_filters: 'Quitar los filtros', empty_range: 'No se registró nada en el período {span}.', show_all: 'Mostrar todo',
  empty_campaigns: 'Ninguna visita traía etiquetas de campaña. Añada utm_source, utm_medium y utm_campaign a los enlaces que comparta.',
  empty_countries: 'Ningún país conocido: la búsqueda está desactivada en los ajustes, o todas las visitas vienen de direcciones privadas (¿es de confianza el proxy?).',
  empty_cities: 'Nada conocido. Regiones y ciudades necesitan una base de ciudades: descargue la libre, o arranque el servicio con --geoip-city ARCHIVO.',
  empty_events: 'Aún no hay eventos. Ponga data-footfall-event="nombre" en un botón, o llame a footfall(\'nombre\').', empty_properties: 'Este evento no tenía propiedades en este período.',

  details: 'Detalles', search: 'Buscar', csv: 'CSV', copy_curl: 'Copiar como curl', n_rows: '{n} filas', n_rows_one: '{n} fila', first_rows: 'las primeras {n}', nothing_found: 'Nada contiene «{text}».', previous_page: 'Atrás', next_page: 'Siguiente', page_of: '{from}–{to} de {all}',
  how_counted: '¿Cómo se cuenta?', statement_took: '{n} filas en {time} ms', statement_took_one: '{n} fila en {time} ms',

  filter: 'Filtro', filters: 'Filtros', add_filter: 'Añadir un filtro', add: 'Añadir', is: 'es', is_not: 'no es', negate: 'Convertir en lo contrario', remove_filter: 'Quitar el filtro {name}', filter_by: 'Filtrar por {name}',
  filter_what: 'Qué', filter_how: 'Cómo', filter_value: 'Valor', filter_help: 'Varios valores separados por comas: basta uno de ellos.',
  filter_page: 'Página', filter_entry_page: 'Página de entrada', filter_exit_page: 'Página de salida', filter_channel: 'Canal', filter_source: 'Fuente', filter_utm_source: 'Fuente UTM', filter_utm_medium: 'Medio UTM', filter_utm_campaign: 'Campaña',
  filter_country: 'País', filter_region: 'Región', filter_city: 'Ciudad', filter_device: 'Dispositivo', filter_browser: 'Navegador', filter_os: 'Sistema', filter_language: 'Idioma', filter_event: 'Evento',

  last_minutes: 'en los últimos {n} minutos', minutes_ago: 'hace {n} minutos', views_by_minute: 'Vistas por minuto', active_pages: 'Páginas en uso', recent_views: 'Últimas vistas', time: 'Hora', nobody_now: 'Nadie en el sitio en los últimos minutos.', nobody_today: 'Ninguna vista en las últimas 24 horas.',

  your_tag: 'Su etiqueta', save: 'Guardar', saved: 'Guardado; en vigor desde ahora.', group_collection: 'Recogida', group_privacy: 'Privacidad', group_retention: 'Conservación', group_places: 'Lugares',
  setting_tracking_enabled: 'Contar visitas', about_tracking_enabled: 'Desactivado: no se registra nada.',
  setting_excluded_ips: 'Direcciones excluidas', about_excluded_ips: 'Una dirección o red por línea, como 192.0.2.7 o 2001:db8::/32.',
  setting_excluded_roles: 'Roles excluidos', about_excluded_roles: 'Los usuarios con uno de estos roles no se cuentan; uno por línea.',
  setting_consent_mode: 'Consentimiento', about_consent_mode: 'Qué se registra con y sin el consentimiento del visitante.', consent_mode_cookieless: 'Sin cookies: visitantes conocidos por un día', consent_mode_full: 'Completo: reconocidos más tarde con consentimiento', consent_mode_disabled_until_consent: 'Nada sin consentimiento',
  setting_respect_dnt: 'Respetar Do Not Track', about_respect_dnt: 'Los navegadores que envían DNT no se cuentan.', setting_respect_gpc: 'Respetar Global Privacy Control', about_respect_gpc: 'Los navegadores que envían Sec-GPC no se cuentan.',
  setting_retention_mode: 'Al vencer, las visitas se', about_retention_mode: 'Los informes por día quedan; los filtros necesitan las visitas.', retention_mode_delete: 'borran', retention_mode_archive: 'archivan', retention_mode_forever: 'guardan siempre',
  setting_retention_days: 'Días que se guardan las visitas', about_retention_days: 'De 30 a 3.650.', setting_geoip_enabled: 'Buscar lugares', about_geoip_enabled: 'Países por la base incluida, ciudades si hay una base de ciudades.',
  setting_geoip_license_key: 'Clave de licencia de ciudades', about_geoip_license_key: 'Una clave de MaxMind, como CLAVE o CUENTA:CLAVE; la base se descarga enseguida y se renueva cada semana. No se vuelve a mostrar; deje la máscara para conservarla.', place_data: 'Datos de lugares:',

  net_revenue: 'Ingreso neto', gross_revenue: 'Ingreso bruto', revenue: 'Ingresos', orders: 'Pedidos', average_order_value: 'Pedido medio', refund_rate: 'Tasa de reembolso', refund_total: 'Reembolsado', tax_and_shipping: 'Impuestos y envío', units: 'Unidades', refunded_units: 'Unidades devueltas', refunded_revenue: 'Devuelto', discount_total: 'Descuento',
  origins: 'De dónde vinieron los pedidos', goods: 'Qué se vendió', products: 'Productos', coupons: 'Cupones', landing_pages: 'Páginas de llegada', funnel: 'Del producto a la compra', refunds: 'Reembolsos', other_currencies: 'No se incluyen pedidos en otras monedas: {names}.', filters_not_here: 'Los filtros no alcanzan a los pedidos.',
  stage_product_view: 'Producto visto', stage_add_to_cart: 'En la cesta', stage_checkout_start: 'Pago', stage_purchase: 'Compra', step_rate: '{rate} de la etapa anterior', overall_conversion: '{rate} de la etapa más ancha compraron.',
  empty_orders: 'No se pagó ningún pedido en este período.', empty_refunds: 'No se reembolsó nada en este período.', empty_funnel: 'Ninguna visita de este período envió product_view, add_to_cart o checkout_start.',
  no_revenue: 'Esta versión del servicio no tiene informes de ingresos.', no_shop: 'No hay ninguna tienda conectada', no_shop_how: 'Arranque el servicio con la dirección de una tienda WooCommerce, una clave de lectura y un secreto de webhook:', no_shop_also: 'Los pedidos llegan también por POST /orders o footfall import --format woocommerce-orders. Esta página aparece con el primero.',
  shop: 'Tienda', orders_stored: 'Pedidos guardados', webhook_last: 'Último webhook', webhook_rejected: 'Webhooks rechazados', never: 'nunca', backfill: 'Importación de pedidos antiguos', backfill_idle: 'sin empezar', backfill_pending: 'a punto de empezar', backfill_running: 'en curso', backfill_done: 'terminada', backfill_failed: 'fallida', backfill_cancelled: 'cancelada', backfill_start: 'Importar todos los pedidos', backfill_cancel: 'Cancelar la importación',

  no_advisor: 'Esta versión del servicio no tiene consejero.', ask_title: 'Pregunte por su sitio', ask_search: 'Pregunte con sus palabras', pinned: 'Fijadas', pin: 'Fijar', unpin: 'Soltar', move_forward: 'Adelantar', move_back: 'Atrasar', all_questions: 'Todas las preguntas', coming_soon: 'Aún no se puede responder.', at_most: 'como mucho {value}',
  anomaly_none: '{day} fue un día corriente.', anomaly_up: '{day} fue inusualmente alto.', anomaly_down: '{day} fue inusualmente bajo.', anomaly_current: 'Ese día', anomaly_baseline: 'Habitual', anomaly_below: 'Inusual por debajo de', anomaly_above: 'Inusual por encima de', verdict_increase: 'Más presupuesto', verdict_yes: 'Sí', verdict_no: 'No', verdict_both: 'Ambos', verdict_not_enough_data: 'Faltan datos',

  view_system: 'Sistema', diagnostics: 'Diagnóstico', no_findings: 'Todo está bien.', version: 'Versión', licenses: 'Licencias de los componentes', database: 'Base de datos', disk_free: 'Libre en el disco', last_hit: 'Última visita recibida', accepted_24h: 'Aceptadas en 24 horas', refused_24h: 'Rechazadas en 24 horas', integrity: 'Integridad',
  jobs: 'Tareas', job: 'Tarea', last_run: 'Última vez', next_run: 'Próxima vez', state: 'Estado', run_now: 'Ejecutar', running: 'En curso …', stale: 'atrasada', in_order: 'en orden',
  audit: 'Auditoría de privacidad', audit_about: 'Lo que esta instalación guarda de los visitantes, medido en ella misma.', audit_run: 'Medir', audit_score: '{score} de 100',
  self_test: 'Autoprueba', self_test_about: 'Trabajo real en archivos desechables; no se cambia nada suyo.', self_test_run: 'Probar', self_test_ok: 'Todo funciona.', self_test_failed: 'Falló una comprobación.', check_pass: 'Superada', check_info: 'Nota', check_warning: 'Aviso', check_critical: 'Crítico', check_fail: 'Fallida',
  fetch_cities: 'Descargar la base de ciudades libre', cities_pending: 'Se está descargando; las visitas siguientes tendrán ciudades.', cities_ready: 'Ya está; las visitas desde ahora tendrán ciudades.', zone_changed: 'Antes del {day}, los días son los de {zone}.',
  times: 'Momentos', by_hour: 'Horas', by_weekday: 'Días de la semana', access: 'Acceso', access_about: 'Los usuarios y contraseñas de aplicación se crean en la línea de comandos:',
}
