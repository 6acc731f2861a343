<?php
/**
 * Tokens by which the service knows a user of this site (JWT, HS256).
 *
 * @package Footfall
 */

namespace Footfall;

use WP_User;

defined( 'ABSPATH' ) || exit;

final class Token {
	/** The capability to read reports, with revenue; administrators have it by manage_options. */
	const VIEW = 'footfall_view_reports';
	/** The capability to read them without what was sold. */
	const VISITS = 'footfall_view_visits';
	/** The capability to see the views of one's own posts, in the list of posts. The service never hears of it. */
	const OWN = 'footfall_view_own';

	/** Names a user with what they may do at the service: nothing that they may not do here. */
	public static function for_user( WP_User $user ): string {
		$capabilities = array();
		foreach ( array( 'manage_options', self::VIEW, self::VISITS ) as $capability ) {
			if ( user_can( $user, $capability ) ) {
				$capabilities[] = $capability;
			}
		}
		return self::sign(
			array(
				'sub'          => (string) $user->ID,
				'name'         => $user->display_name,
				'locale'       => get_user_locale( $user ),
				'roles'        => self::roles( $user ),
				'capabilities' => $capabilities,
				'aud'          => 'footfall',
			),
			5 * MINUTE_IN_SECONDS
		);
	}

	/** For the plugin's own work, which is all that it opens. */
	public static function for_push(): string {
		return self::sign(
			array(
				'sub'          => 'plugin',
				'capabilities' => array( 'footfall_push' ),
				'aud'          => 'footfall',
			),
			5 * MINUTE_IN_SECONDS
		);
	}

	/** For the figures that the plugin itself shows, to whoever may see them. */
	public static function for_figures(): string {
		return self::sign(
			array(
				'sub'          => 'plugin',
				'capabilities' => array( self::VISITS ),
				'aud'          => 'footfall',
			),
			5 * MINUTE_IN_SECONDS
		);
	}

	/** Goes into pages: it contains the roles of a visitor, so that excluded ones are not counted, and opens nothing. */
	public static function for_visit( WP_User $user ): string {
		return self::sign(
			array(
				'roles' => self::roles( $user ),
				'aud'   => 'footfall-visit',
			),
			12 * HOUR_IN_SECONDS
		);
	}

	/** Anyone who manages a network is an administrator on all of its sites. @return string[] */
	private static function roles( WP_User $user ): array {
		$more = is_multisite() && is_super_admin( $user->ID ) ? array( 'administrator' ) : array();
		return array_values( array_unique( array_merge( $more, $user->roles ) ) );
	}

	/** @param array<string,mixed> $claims */
	private static function sign( array $claims, int $lifetime ): string {
		$now    = time();
		$claims = $claims + array(
			'iat' => $now,
			'exp' => $now + $lifetime,
		);
		$text   = self::encode( '{"alg":"HS256","typ":"JWT"}' ) . '.' . self::encode( (string) wp_json_encode( $claims ) );
		return $text . '.' . self::encode( hash_hmac( 'sha256', $text, Sidecar::secret(), true ) );
	}

	private static function encode( string $bytes ): string {
		// phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- The encoding of JWT.
		return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
	}
}
