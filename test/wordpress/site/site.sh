#!/bin/bash
# site.sh SITE PORT [CACHE] [WORDPRESS]: copies an installed WordPress into the folder SITE and starts it on 127.0.0.1:PORT.
# SQLite, PHP's own web server with 4 workers, pretty permalinks; users admin (administrator), ed (editor), sue (subscriber), each with the
# password "secret"; application passwords allowed on http (environment "local"). PID in SITE/pid. Needs php-cli with pdo_sqlite, xml, mbstring, curl.
# AT=/blog puts it below that folder of the host. Each version is installed once, into CACHE/sites.
set -euo pipefail
site=$(realpath -m "$1"); port=$2; cache=$(realpath "${3:-${WP_CACHE:-$PWD/cache}}"); wordpress=${4:-$cache/newest/wordpress}
here=$(cd "$(dirname "$0")" && pwd); at=${AT:-}; root=$site/www

# configure SITE: writes what holds the path of a site.
configure() {
sed "s#{SQLITE_IMPLEMENTATION_FOLDER_PATH}#$1/sqlite#" "$1/sqlite/db.copy" > "$1/www/wp-content/db.php"
cat > "$1/www/wp-config.php" <<PHP
<?php
define( 'DB_NAME', 'wordpress' );
define( 'DB_DIR', '$1/database/' );
define( 'DB_FILE', 'wordpress.sqlite' );
define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_LOG', '$1/debug.log' );
define( 'WP_DEBUG_DISPLAY', false );
define( 'DISABLE_WP_CRON', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', 'localhost,127.0.0.1' );
foreach ( array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' ) as \$key ) {
	define( \$key, \$key . ' of a throw-away site' );
}
if ( is_file( '$1/config.php' ) ) {
	require '$1/config.php';
}
// On a busy machine an answer may take long.
if ( ! defined( 'FOOTFALL_TIMEOUT' ) ) { define( 'FOOTFALL_TIMEOUT', 60 ); }
\$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
PHP
printf '#!/bin/sh\nexec php -d error_reporting=22527 -d display_errors=stderr -d sendmail_path=/bin/true %s --path=%s --allow-root "$@"\n' "$cache/newest/wp-cli.phar" "$1/www" > "$1/wp"; chmod +x "$1/wp"
}

# install SITE
install() {
mkdir -p "$1/database"
cp -r "$wordpress" "$1/www"
mkdir -p "$1/www/wp-content/plugins" "$1/www/wp-content/mu-plugins"
cp -r "$cache/newest/sqlite-database-integration" "$1/sqlite"
cp "$here/router.php" "$1/router.php"
configure "$1"
"$1/wp" core install --url=http://site.invalid --title=Footfall --admin_user=admin --admin_password=secret --admin_email=admin@example.org --skip-email --quiet
"$1/wp" user create ed ed@example.org --role=editor --user_pass=secret --porcelain >/dev/null
"$1/wp" user create sue sue@example.org --role=subscriber --user_pass=secret --porcelain >/dev/null
# Avatars come from another host.
"$1/wp" option update show_avatars 0 --quiet
"$1/wp" rewrite structure '/%postname%/' --quiet
}

template=$cache/sites/$(basename "$wordpress")-$(cat "$here"/*.sh "$here"/*.php | sha256sum | cut -c1-12)
mkdir -p "$cache/sites"
(
  # Test files run side by side: the others wait for the first.
  flock 9
  [ -d "$template" ] && exit
  rm -rf "$template.new"; install "$template.new"; mv "$template.new" "$template"
) 9>"$cache/sites/lock"
cp -r "$template" "$site"
configure "$site"
# What the installation wrote of its address.
php -r '
$db = new PDO("sqlite:" . $argv[1]);
foreach (["options" => ["option_value"], "posts" => ["guid", "post_content"], "users" => ["user_url"]] as $table => $columns)
	foreach ($columns as $column)
		// Not in what is serialized with the lengths of its texts.
		$db->prepare("update wp_$table set $column = replace($column, ?, ?) where $column not like \"a:%\"")->execute(["http://site.invalid", $argv[2]]);
' "$site/database/wordpress.sqlite" "http://127.0.0.1:$port$at"
[ -z "$at" ] || { root=$site/root; mkdir "$root"; ln -s "$site/www" "$root$at"; }
AT=$at PHP_CLI_SERVER_WORKERS=${WORKERS:-4} setsid php -d opcache.enable_cli=1 -d opcache.revalidate_freq=0 -d opcache.memory_consumption=192 -d sendmail_path=/bin/true -S "127.0.0.1:$port" -t "$root" "$site/router.php" </dev/null >"$site/server.log" 2>&1 &
echo $! > "$site/pid"
for _ in $(seq 1200); do curl -fsS -o /dev/null "http://127.0.0.1:$port$at/wp-json/" 2>/dev/null && break; sleep 0.1; done
curl -fsS -o /dev/null -w '%{http_code} in %{time_total} s\n' "http://127.0.0.1:$port$at/wp-json/"
