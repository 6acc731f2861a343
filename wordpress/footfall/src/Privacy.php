<?php
/**
 * A text for the privacy policy, and what is forgotten with a user.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

final class Privacy {
	public static function register(): void {
		add_action( 'admin_init', array( self::class, 'suggest' ) );
		add_action( 'deleted_user', array( self::class, 'forget_user' ) );
		// Of a network; also for each of their sites when a user is deleted.
		add_action( 'remove_user_from_blog', array( self::class, 'forget_user' ) );
	}

	public static function suggest(): void {
		wp_add_privacy_policy_content(
			'Footfall',
			wp_kses_post(
				'<p>' . __( 'We count visits to this site with Footfall, on our own server. It sets no cookies and stores neither your address nor your browser\'s full identification. Of a visit it keeps the pages, the time spent on them, the site you came from, country, browser, system, language and rough size of the screen. It connects no visits of different days; on a site with few visitors, whoever has these data could still match some of them. Nothing is passed on to others.', 'footfall' ) . '</p>'
			)
		);
	}

	/** Their pinned questions; nothing else at the service is about a user of this site. */
	public static function forget_user( int $id ): void {
		Sidecar::push( 'DELETE', '/advisor/preferences/' . $id );
	}
}
