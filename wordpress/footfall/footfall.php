<?php
/**
 * Plugin Name:       Footfall
 * Description:       Web analytics on your own server, without cookies: the dashboard in wp-admin, the REST API, the orders of WooCommerce. Needs the Footfall service on this machine.
 * Version:           0.2.0
 * Requires at least: 6.2
 * Requires PHP:      7.4
 * Author:            The Footfall contributors
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       footfall
 * Domain Path:       /languages
 * Update URI:        false
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

const VERSION = '0.2.0';
const FILE    = __FILE__;

spl_autoload_register(
	static function ( $name ) {
		if ( 0 === strpos( $name, __NAMESPACE__ . '\\' ) ) {
			require __DIR__ . '/src/' . substr( $name, strlen( __NAMESPACE__ ) + 1 ) . '.php';
		}
	}
);

// Before anything else: a hit needs nothing of WordPress but the address of the service.
Collect::answer();

Language::register();
Rest::register();
Frame::register();
Tracker::register();
Health::register();
Settings::register();
Moving::register();
Orders::register();
Content::register();
Walk::register();
Privacy::register();
Figures::register();
Columns::register();
Glance::register();
Shown::register();
Cli::register();

require __DIR__ . '/functions.php';
