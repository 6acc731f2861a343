#!/bin/bash
# site.sh SITE PORT [CACHE] [WORDPRESS]: installs a WordPress into the folder SITE and starts it on 127.0.0.1:PORT.
# SQLite, PHP's own web server with 4 workers, pretty permalinks; users admin (administrator), ed (editor), sue (subscriber), each with the
# password "secret"; application passwords allowed on http (environment "local"). PID in SITE/pid. Needs php-cli with pdo_sqlite, xml, mbstring, curl.
# AT=/blog puts it below that folder of the host.
set -euo pipefail
site=$(realpath -m "$1"); port=$2; cache=$(realpath "${3:-${WP_CACHE:-$PWD/cache}}"); wordpress=${4:-$cache/newest/wordpress}
here=$(cd "$(dirname "$0")" && pwd); at=${AT:-}; root=$site/www
mkdir -p "$site"
cp -r "$wordpress" "$site/www"
[ -z "$at" ] || { root=$site/root; mkdir "$root"; ln -s "$site/www" "$root$at"; }
mkdir -p "$site/www/wp-content/plugins" "$site/www/wp-content/mu-plugins" "$site/database"
cp -r "$cache/newest/sqlite-database-integration" "$site/sqlite"
sed "s#{SQLITE_IMPLEMENTATION_FOLDER_PATH}#$site/sqlite#" "$site/sqlite/db.copy" > "$site/www/wp-content/db.php"
cat > "$site/www/wp-config.php" <<PHP
<?php
define( 'DB_NAME', 'wordpress' );
define( 'DB_DIR', '$site/database/' );
define( 'DB_FILE', 'wordpress.sqlite' );
define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_LOG', '$site/debug.log' );
define( 'WP_DEBUG_DISPLAY', false );
define( 'DISABLE_WP_CRON', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', 'localhost,127.0.0.1' );
foreach ( array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' ) as \$key ) {
	define( \$key, \$key . ' of a throw-away site' );
}
if ( is_file( '$site/config.php' ) ) {
	require '$site/config.php';
}
// On a busy machine an answer may take long.
if ( ! defined( 'FOOTFALL_TIMEOUT' ) ) { define( 'FOOTFALL_TIMEOUT', 60 ); }
\$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
PHP
cp "$here/router.php" "$site/router.php"
printf '#!/bin/sh\nexec php -d error_reporting=22527 -d display_errors=stderr -d sendmail_path=/bin/true %s --path=%s --allow-root "$@"\n' "$cache/newest/wp-cli.phar" "$site/www" > "$site/wp"; chmod +x "$site/wp"
"$site/wp" core install --url="http://127.0.0.1:$port$at" --title=Footfall --admin_user=admin --admin_password=secret --admin_email=admin@example.org --skip-email --quiet
"$site/wp" user create ed ed@example.org --role=editor --user_pass=secret --porcelain >/dev/null
"$site/wp" user create sue sue@example.org --role=subscriber --user_pass=secret --porcelain >/dev/null
# Avatars come from another host.
"$site/wp" option update show_avatars 0 --quiet
"$site/wp" rewrite structure '/%postname%/' --quiet
AT=$at PHP_CLI_SERVER_WORKERS=${WORKERS:-4} setsid php -d opcache.enable_cli=1 -d opcache.revalidate_freq=0 -d opcache.memory_consumption=192 -d sendmail_path=/bin/true -S "127.0.0.1:$port" -t "$root" "$site/router.php" </dev/null >"$site/server.log" 2>&1 &
echo $! > "$site/pid"
for _ in $(seq 1200); do curl -fsS -o /dev/null "http://127.0.0.1:$port$at/wp-json/" 2>/dev/null && break; sleep 0.1; done
curl -fsS -o /dev/null -w '%{http_code} in %{time_total} s\n' "http://127.0.0.1:$port$at/wp-json/"
