#!/bin/bash
# get-old.sh CACHE VERSION: fetches an older WordPress (6.2 to 6.5) from the npm registry, in addition to what get.sh fetches.
# A "playground build": whitespace and some static files of wp-admin are removed, PHP is otherwise the same. One download of 159 MB.
set -euo pipefail
cache=$1; version=$2
builds=@wp-playground/wordpress-builds@0.9.19
mkdir -p "$cache"; cd "$cache"
exec 9>lock; flock 9
[ -d "wordpress-$version" ] && exit
npm pack --silent "$builds" >/dev/null
tar xzf wp-playground-wordpress-builds-*.tgz "package/src/wordpress/wp-$version.zip"
rm -rf unpacked; unzip -q "package/src/wordpress/wp-$version.zip" -d unpacked
rm -rf unpacked/wp-content/{database,mu-plugins} unpacked/wp-config.php package wp-playground-wordpress-builds-*.tgz
mv unpacked "wordpress-$version"
