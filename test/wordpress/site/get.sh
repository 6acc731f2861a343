#!/bin/bash
# get.sh CACHE: fetches a real WordPress from the npm registry: WordPress (as wordpress.org publishes it), its SQLite driver, WP-CLI.
# One download of 67 MB (the package is Automattic's Studio CLI; only its wp-files are unpacked, nothing of it is run or installed).
set -euo pipefail
cache=$1
studio=wp-studio@1.22.0            # WordPress 7.1.1, SQLite integration 3.0.2, WP-CLI 2.12.0
mkdir -p "$cache"; cd "$cache"
# Test files run side by side: the others wait for the first.
exec 9>lock; flock 9
[ -e newest/wp-cli.phar ] && exit
npm pack --silent "$studio" >/dev/null
rm -rf newest unpacked; mkdir unpacked
tar xzf wp-studio-*.tgz -C unpacked --strip-components=4 package/dist/cli/wp-files/latest/wordpress package/dist/cli/wp-files/sqlite-database-integration package/dist/cli/wp-files/wp-cli
mkdir ready
mv unpacked/latest/wordpress ready/wordpress
mv unpacked/sqlite-database-integration ready/sqlite-database-integration
mv unpacked/wp-cli/wp-cli.phar ready/wp-cli.phar
mv ready newest
rm -rf unpacked wp-studio-*.tgz
