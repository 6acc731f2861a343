<?php
/**
 * Leaves nothing of the plugin in WordPress. What was counted stays at the service.
 *
 * @package Footfall
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Forgets one site of a network, or the only one. */
function footfall_uninstall_site() {
	delete_option( 'footfall' );
	delete_option( 'footfall_state' );
	wp_clear_scheduled_hook( 'footfall_refresh' );
	foreach ( wp_roles()->role_objects as $footfall_role ) {
		$footfall_role->remove_cap( 'view_reports' );
	}
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $footfall_site ) {
		switch_to_blog( $footfall_site );
		footfall_uninstall_site();
		restore_current_blog();
	}
} else {
	footfall_uninstall_site();
}
