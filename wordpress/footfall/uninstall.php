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
	delete_option( 'footfall_import' );
	delete_option( 'footfall_left' );
	delete_option( 'footfall_viewers' );
	delete_option( 'footfall_shown' );
	delete_transient( 'footfall_history_problem' );
	foreach ( array( 'overview', '7d', '28d', '90d', '12mo', 'all' ) as $footfall_figures ) {
		delete_transient( 'footfall_figures_' . $footfall_figures );
	}
	foreach ( array( 'footfall_refresh', 'footfall_nightly', 'footfall_send_order', 'footfall_walk_orders', 'footfall_describe', 'footfall_describe_all' ) as $footfall_hook ) {
		wp_unschedule_hook( $footfall_hook );
	}
	foreach ( wp_roles()->role_objects as $footfall_role ) {
		$footfall_role->remove_cap( 'footfall_view_reports' );
		$footfall_role->remove_cap( 'footfall_view_visits' );
		$footfall_role->remove_cap( 'footfall_view_own' );
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

delete_metadata( 'user', 0, 'footfall_period', '', true );

if ( defined( 'WP_CLI' ) && WP_CLI ) {
	WP_CLI::log( 'The service still accepts the secret that was removed here. To end the connection, run "footfall connect list" and "footfall connect revoke" on the server.' );
}
