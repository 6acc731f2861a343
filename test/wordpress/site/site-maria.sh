#!/bin/bash
# site-maria.sh SITE PORT [CACHE] [WORDPRESS]: as site.sh, but MariaDB on a socket of its own, php-fpm and nginx: what real sites run.
# Needs: apt-get install --no-install-recommends nginx mariadb-server php-fpm php-mysql php-curl php-xml php-mbstring php-gd php-intl php-zip
# PIDs in SITE/*.pid; all as the caller (root is told to become www-data / mysql where the programs want that).
# nginx reads SITE/nginx/*.http into its http section and SITE/nginx/*.conf into that of the server, also later, at a SIGHUP.
set -euo pipefail
PATH=$PATH:/usr/sbin
site=$(realpath -m "$1"); port=$2; cache=$(realpath "${3:-${WP_CACHE:-$PWD/cache}}"); wordpress=${4:-$cache/newest/wordpress}
version=$(php -r 'echo PHP_MAJOR_VERSION.".".PHP_MINOR_VERSION;')
mkdir -p "$site"/{mysql,run,nginx}
cp -r "$wordpress" "$site/www"; mkdir -p "$site/www/wp-content/plugins" "$site/www/wp-content/mu-plugins"
[ "$(id -u)" = 0 ] && chown -R mysql: "$site/mysql" "$site/run" && as=(--user=mysql) || as=()
mariadb-install-db --no-defaults "${as[@]}" --datadir="$site/mysql" --auth-root-authentication-method=normal --skip-test-db >/dev/null
mariadbd --no-defaults "${as[@]}" --datadir="$site/mysql" --socket="$site/run/mysql.sock" --pid-file="$site/run/mysql.pid" --skip-networking --innodb-flush-log-at-trx-commit=2 </dev/null >"$site/mysql.log" 2>&1 &
echo $! > "$site/mariadb.pid"
for _ in $(seq 1200); do mariadb --no-defaults -uroot -S "$site/run/mysql.sock" -e 'create database if not exists wordpress' 2>/dev/null && break; sleep 0.1; done
cat > "$site/www/wp-config.php" <<PHP
<?php
define( 'DB_NAME', 'wordpress' ); define( 'DB_USER', 'root' ); define( 'DB_PASSWORD', '' ); define( 'DB_HOST', 'localhost:$site/run/mysql.sock' ); define( 'DB_CHARSET', 'utf8mb4' );
define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'WP_DEBUG', true ); define( 'WP_DEBUG_LOG', '$site/debug.log' ); define( 'WP_DEBUG_DISPLAY', false );
define( 'DISABLE_WP_CRON', true ); define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true ); define( 'WP_ACCESSIBLE_HOSTS', 'localhost,127.0.0.1' );
foreach ( array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' ) as \$key ) { define( \$key, \$key . ' of a throw-away site' ); }
if ( is_file( '$site/config.php' ) ) { require '$site/config.php'; }
// On a busy machine an answer may take long.
if ( ! defined( 'FOOTFALL_TIMEOUT' ) ) { define( 'FOOTFALL_TIMEOUT', 60 ); }
\$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) { define( 'ABSPATH', __DIR__ . '/' ); }
require_once ABSPATH . 'wp-settings.php';
PHP
printf '#!/bin/sh\nexec php -d error_reporting=22527 -d display_errors=stderr -d sendmail_path=/bin/true %s --path=%s --allow-root "$@"\n' "$cache/newest/wp-cli.phar" "$site/www" > "$site/wp"; chmod +x "$site/wp"
"$site/wp" core install --url="http://127.0.0.1:$port" --title=Footfall --admin_user=admin --admin_password=secret --admin_email=admin@example.org --skip-email --quiet
"$site/wp" user create ed ed@example.org --role=editor --user_pass=secret --porcelain >/dev/null
"$site/wp" user create sue sue@example.org --role=subscriber --user_pass=secret --porcelain >/dev/null
# Avatars come from another host.
"$site/wp" option update show_avatars 0 --quiet
"$site/wp" rewrite structure '/%postname%/' --quiet
cat > "$site/fpm.conf" <<C
[global]
error_log = $site/fpm.log
daemonize = no
[www]
listen = $site/run/php.sock
listen.mode = 0666
pm = static
pm.max_children = ${WORKERS:-4}
php_admin_value[opcache.memory_consumption] = 192
php_admin_value[sendmail_path] = /bin/true
catch_workers_output = yes
$([ "$(id -u)" = 0 ] && printf 'user = www-data\ngroup = www-data')
C
touch "$site/debug.log"; chmod 666 "$site/debug.log"; [ "$(id -u)" = 0 ] && chown -R www-data: "$site/www/wp-content"
"php-fpm$version" --nodaemonize --fpm-config "$site/fpm.conf" </dev/null >/dev/null 2>&1 &
echo $! > "$site/fpm.pid"
cat > "$site/nginx.conf" <<C
daemon off; pid $site/nginx.pid.file; error_log $site/nginx.log; worker_processes 1;
$([ "$(id -u)" = 0 ] && echo 'user www-data;')
events { worker_connections 512; }
http { include /etc/nginx/mime.types; access_log off;
 client_body_temp_path $site/run/body; proxy_temp_path $site/run/proxy; fastcgi_temp_path $site/run/fastcgi; uwsgi_temp_path $site/run/uwsgi; scgi_temp_path $site/run/scgi;
 include $site/nginx/*.http;
 server { listen 127.0.0.1:$port; root $site/www; index index.php;
  include $site/nginx/*.conf;
  location / { try_files \$uri \$uri/ /index.php?\$args; }
  location ~ \.php\$ { include /etc/nginx/fastcgi_params; fastcgi_param SCRIPT_FILENAME \$document_root\$fastcgi_script_name; fastcgi_param HTTP_HOST \$http_host; fastcgi_pass unix:$site/run/php.sock; }
 } }
C
nginx -c "$site/nginx.conf" </dev/null >/dev/null 2>&1 & echo $! > "$site/nginx.pid"
for _ in $(seq 1200); do curl -fsS -o /dev/null "http://127.0.0.1:$port/wp-json/" 2>/dev/null && break; sleep 0.1; done
curl -fsS -o /dev/null -w '%{http_code} in %{time_total} s\n' "http://127.0.0.1:$port/wp-json/"
