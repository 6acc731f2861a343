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
	/** More than the service takes, so that it refuses what is too large. */
	const MAX_BYTES = 16384;
	/** The routes of hits. */
	const KINDS = array(
		'/hit'        => 'hit',
		'/event'      => 'event',
		'/engagement' => 'engagement',
		'/forget'     => 'forget',
	);

	/** Ends the request if its address is that of a hit as the tracker writes it. Other spellings reach `pass_on` by WordPress' own router. */
	public static function answer(): void {
		if ( 'POST' !== Caller::server( 'REQUEST_METHOD' ) || ! Sidecar::is_connected() ) {
			return;
		}
		if ( ! preg_match( '#^/analytics/v1(/\w+)/?$#D', (string) Rest::requested(), $match ) || ! isset( self::KINDS[ $match[1] ] ) ) {
			return;
		}
		Rest::print_answer( self::pass_on( $match[1], (string) file_get_contents( 'php://input', false, null, 0, self::MAX_BYTES ) ) );
		exit;
	}

	/**
	 * The one way of a hit to the service.
	 *
	 * @param string $route One of KINDS.
	 * @return array{status:int,headers:array<string,string>,body:string}
	 */
	public static function pass_on( string $route, string $body ): array {
		// For `footfall check`, which names faster ways.
		header( Sidecar::WAY . ': ' . ( did_action( 'muplugins_loaded' ) ? 'wordpress' : 'must-use' ) );
		$answer = Sidecar::is_connected()
			? Sidecar::send( 'POST', '/' . Rest::SPACE . $route, Caller::headers(), substr( $body, 0, self::MAX_BYTES ), self::TIMEOUT )
			: null;
		return null !== $answer ? $answer : array(
			'status'  => 503,
			'headers' => array(
				'retry-after'   => (string) Breaker::PAUSE,
				'cache-control' => 'no-store',
			),
			'body'    => '',
		);
	}
}
