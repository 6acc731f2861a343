<?php
/**
 * The one who asks this site, as the service is to know them.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

final class Caller {
	/** What a request of either kind is judged by; deliveries of the shop's webhooks are signed. */
	const HEADERS = array( 'Accept-Language', 'DNT', 'Sec-GPC', 'Origin', 'Sec-Fetch-Site', 'Sec-Fetch-Mode', 'Sec-Fetch-Dest', 'Sec-Fetch-User', 'X-Footfall-Check', 'X-WC-Webhook-Signature', 'X-WC-Webhook-Topic', 'X-WC-Webhook-Source' );

	/** A text of the request, as the browser sent it. */
	public static function server( string $name ): string {
		// phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- Passed on as it came; WordPress has not yet added slashes, or they are removed.
		$value = isset( $_SERVER[ $name ] ) ? (string) $_SERVER[ $name ] : '';
		// WordPress adds slashes once all plugins are loaded, just before this action.
		return did_action( 'sanitize_comment_cookies' ) ? wp_unslash( $value ) : $value;
	}

	public static function header( string $name ): string {
		return self::server( 'HTTP_' . strtoupper( str_replace( '-', '_', $name ) ) );
	}

	/** The headers of each request that is passed on, whatever it asks for. @return array<string,string> */
	public static function headers(): array {
		$sent    = array();
		$chain   = self::header( 'X-Forwarded-For' );
		$address = self::server( 'REMOTE_ADDR' );
		foreach ( self::HEADERS as $name ) {
			$sent[ $name ] = self::header( $name );
		}
		foreach ( array_keys( $_SERVER ) as $key ) {
			if ( 0 === strpos( $key, 'HTTP_SEC_CH_UA' ) ) {
				$sent[ str_replace( '_', '-', substr( $key, 5 ) ) ] = self::server( $key );
			}
		}
		$sent = array_filter( $sent, 'strlen' );
		// The service believes this chain from the right, as far as its --trust-proxy goes.
		$sent['X-Forwarded-For'] = '' === $chain ? $address : $chain . ', ' . $address;
		$sent['User-Agent']      = self::header( 'User-Agent' );
		$sent['Content-Type']    = self::server( 'CONTENT_TYPE' );
		return $sent;
	}
}
