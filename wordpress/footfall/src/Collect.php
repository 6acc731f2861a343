<?php
/**
 * Hits: passed on as the plugin loads, before themes, users and the REST API of WordPress.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

/** No session, no nonce, no query, and nothing is written but the mark of a service that hangs. */
final class Collect {
	const TIMEOUT = 1.0;
	/** Time-outs in a row after which the service is left alone for a while. */
	const PATIENCE = 3;
	const PAUSE    = 10;
	/** More than the service takes, so that it refuses what is too large. */
	const MAX_BYTES = 16384;

	/** Ends the request if it is a hit. */
	public static function answer(): void {
		if ( 'POST' !== Rest::server( 'REQUEST_METHOD' ) || ! Sidecar::is_connected() ) {
			return;
		}
		if ( ! preg_match( '#^/analytics/v1/(hit|event|engagement|forget)/?$#', (string) Rest::requested(), $match ) ) {
			return;
		}
		self::send( $match[1] );
		exit;
	}

	private static function send( string $kind ): void {
		$answer = null;
		$mark   = get_temp_dir() . 'footfall-' . md5( ABSPATH . Sidecar::address() );
		if ( ! self::is_pausing( $mark ) ) {
			$body   = (string) file_get_contents( 'php://input', false, null, 0, self::MAX_BYTES );
			$answer = Sidecar::send( 'POST', '/analytics/v1/' . $kind, self::headers(), $body, self::TIMEOUT );
			self::remember( $mark, null !== $answer );
		}
		// For `footfall check`, which names faster ways.
		header( Sidecar::MARK . ': ' . ( did_action( 'muplugins_loaded' ) ? 'wordpress' : 'must-use' ) );
		if ( null === $answer ) {
			http_response_code( 503 );
			header( 'Retry-After: ' . self::PAUSE );
			header( 'Cache-Control: no-store' );
			return;
		}
		Rest::print_answer( $answer );
	}

	/** @return array<string,string> */
	private static function headers(): array {
		$sent    = array();
		$chain   = Rest::server( 'HTTP_X_FORWARDED_FOR' );
		$address = Rest::server( 'REMOTE_ADDR' );
		foreach ( array( 'Accept-Language', 'DNT', 'Sec-GPC', 'Origin', 'X-Footfall-Check' ) as $name ) {
			$sent[ $name ] = Rest::server( 'HTTP_' . strtoupper( str_replace( '-', '_', $name ) ) );
		}
		foreach ( array_keys( $_SERVER ) as $key ) {
			if ( 0 === strpos( $key, 'HTTP_SEC_CH_UA' ) ) {
				$sent[ str_replace( '_', '-', substr( $key, 5 ) ) ] = Rest::server( $key );
			}
		}
		$sent = array_filter( $sent, 'strlen' );
		// The service believes this chain from the right, as far as its --trust-proxy goes.
		$sent['X-Forwarded-For'] = '' === $chain ? $address : $chain . ', ' . $address;
		$sent['User-Agent']      = Rest::server( 'HTTP_USER_AGENT' );
		$sent['Content-Type']    = Rest::server( 'CONTENT_TYPE' );
		return $sent;
	}

	private static function is_pausing( string $mark ): bool {
		clearstatcache( true, $mark );
		// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged -- Usually there is none.
		$size = @filesize( $mark );
		return false !== $size && $size >= self::PATIENCE && time() - (int) filemtime( $mark ) < self::PAUSE;
	}

	/** The mark has a byte for each time-out in a row. It is a file, so that no hit writes to the database. */
	private static function remember( string $mark, bool $answered ): void {
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- Without the mark every hit waits for its second.
		if ( ! $answered ) {
			@file_put_contents( $mark, '.', FILE_APPEND );
		} elseif ( file_exists( $mark ) ) {
			@unlink( $mark );
		}
		// phpcs:enable
	}
}
