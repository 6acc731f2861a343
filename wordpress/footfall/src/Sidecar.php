<?php
/**
 * The service next to WordPress: where it is, and requests to it.
 *
 * @package Footfall
 */

namespace Footfall;

use WpOrg\Requests\Exception;
use WpOrg\Requests\Requests;

defined( 'ABSPATH' ) || exit;

/** Constants of wp-config.php win over the option. */
final class Sidecar {
	/** The one option of this site: address and secret. */
	const OPTION = 'footfall';

	/** Marks requests of the plugin, so that a site never asks itself in a circle when the address is its own. */
	const MARK = 'X-Footfall-Via';

	public static function address(): string {
		return rtrim( defined( 'FOOTFALL_ADDRESS' ) ? (string) FOOTFALL_ADDRESS : self::stored( 'address' ), '/' );
	}

	public static function secret(): string {
		return defined( 'FOOTFALL_SECRET' ) ? (string) FOOTFALL_SECRET : self::stored( 'secret' );
	}

	public static function is_connected(): bool {
		return '' !== self::address() && '' !== self::secret() && '' === Rest::server( 'HTTP_X_FOOTFALL_VIA' );
	}

	private static function stored( string $name ): string {
		$option = get_option( self::OPTION );
		return is_array( $option ) && isset( $option[ $name ] ) ? (string) $option[ $name ] : '';
	}

	/**
	 * Stores what `footfall connect wordpress` has printed.
	 *
	 * @return string Why it cannot be used; empty if it can.
	 */
	public static function connect( string $address, string $secret ): string {
		$address = trim( $address );
		$secret  = trim( $secret );
		if ( ! preg_match( '#^https?://[^/?\#@\s]+(/[^?\#\s]*)?$#i', $address ) ) {
			return __( 'The address must be a URL such as http://127.0.0.1:8787.', 'footfall' );
		}
		if ( strlen( $secret ) < 32 ) {
			return __( 'The secret has at least 32 characters. Copy all of it.', 'footfall' );
		}
		update_option(
			self::OPTION,
			array(
				'address' => rtrim( $address, '/' ),
				'secret'  => $secret,
			),
			true
		);
		return '';
	}

	/**
	 * Sends a request to the service itself, past proxies and the filters of WordPress' own HTTP API: it is a neighbour.
	 * A site whose service is slow waits longer: FOOTFALL_TIMEOUT in wp-config.php.
	 *
	 * @param array<string,string> $headers
	 * @return array{status:int,headers:array<string,string>,body:string}|null Null without a response in time.
	 */
	public static function send( string $method, string $path, array $headers = array(), string $body = '', float $seconds = 10 ): ?array {
		$seconds = max( $seconds, defined( 'FOOTFALL_TIMEOUT' ) ? (float) FOOTFALL_TIMEOUT : 0 );
		$options = array(
			'timeout'          => $seconds,
			'connect_timeout'  => min( $seconds, 3 ),
			'follow_redirects' => false,
			'data_format'      => 'body',
			'useragent'        => isset( $headers['User-Agent'] ) ? $headers['User-Agent'] : 'Footfall-WordPress/' . VERSION,
			'verify'           => ABSPATH . WPINC . '/certificates/ca-bundle.crt',
		);
		unset( $headers['User-Agent'] );
		$headers[ self::MARK ] = 'wordpress';
		try {
			$response = Requests::request( self::address() . $path, $headers, $body, $method, $options );
		} catch ( Exception $failure ) {
			return null;
		}
		$received = array();
		foreach ( $response->headers as $name => $value ) {
			$received[ strtolower( $name ) ] = $value;
		}
		return array(
			'status'  => (int) $response->status_code,
			'headers' => $received,
			'body'    => (string) $response->body,
		);
	}

	/**
	 * Sends something of the plugin's own work: orders, pages, the state of the shop.
	 *
	 * @param mixed $data
	 * @return int The status; 0 without a response.
	 */
	public static function push( string $method, string $path, $data = null ): int {
		if ( ! self::is_connected() ) {
			return 0;
		}
		$headers = array(
			'Authorization' => 'Bearer ' . Token::for_push(),
			'Content-Type'  => 'application/json',
		);
		$answer  = self::send( $method, '/analytics/v1' . $path, $headers, null === $data ? '' : (string) wp_json_encode( $data ) );
		return null === $answer ? 0 : $answer['status'];
	}
}
