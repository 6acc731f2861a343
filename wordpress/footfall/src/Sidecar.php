<?php
/**
 * The service next to WordPress: where it is, and requests to it.
 *
 * @package Footfall
 */

namespace Footfall;

use WpOrg\Requests\Exception;
use WpOrg\Requests\Hooks;
use WpOrg\Requests\Requests;
use WpOrg\Requests\Transport\Curl;

defined( 'ABSPATH' ) || exit;

/** Constants of wp-config.php win over the option. */
final class Sidecar {
	/** The one option of this site: address and secret. */
	const OPTION = 'footfall';

	/** In answers to hits: by which way they went. */
	const WAY = 'X-Footfall-Via';

	/** In requests to the service: the sites that they went through, so that none asks itself in a circle when the address is its own. */
	const MARK = 'X-Footfall-Sites';
	/** How long a mark holds, in seconds: more than any request takes. */
	const MARK_LIFETIME = 120;
	const MAX_MARKS     = 1000;

	/** An address that is a Unix socket, and the path below which the service is there. */
	const SOCKET = '#^unix:(/[^:?\#\s]+)(?::(/[^:?\#\s]+))?$#D';

	/** In requests, a number that the answer is bound to; in answers, what only those who have the secret can make of it. */
	const REQUEST   = 'X-Footfall-Request';
	const SIGNATURE = 'x-footfall-signature';

	/** On a network whoever manages a site may not choose what the server asks: there the address is only a constant, for all sites or by their numbers. */
	public static function address(): string {
		$address = is_multisite() ? '' : self::stored( 'address' );
		if ( defined( 'FOOTFALL_ADDRESS' ) ) {
			$address = is_array( FOOTFALL_ADDRESS ) ? ( FOOTFALL_ADDRESS[ get_current_blog_id() ] ?? '' ) : FOOTFALL_ADDRESS;
		}
		return rtrim( (string) $address, '/' );
	}

	/** Whether the address is none that can be entered. */
	public static function has_fixed_address(): bool {
		return is_multisite() || defined( 'FOOTFALL_ADDRESS' );
	}

	public static function secret(): string {
		return defined( 'FOOTFALL_SECRET' ) ? (string) FOOTFALL_SECRET : self::stored( 'secret' );
	}

	public static function is_connected(): bool {
		return '' !== self::address() && '' !== self::secret();
	}

	/** Another one for another service; it says nothing of the secret. */
	public static function fingerprint(): string {
		return hash_hmac( 'sha256', "footfall-service\n" . self::address(), self::secret() );
	}

	/** Whether this request is one that this site has passed on to its own address. Nobody else can make the mark. */
	public static function is_circle(): bool {
		foreach ( explode( ',', substr( Caller::header( self::MARK ), -self::MAX_MARKS ) ) as $mark ) {
			list( $time, $key ) = array_pad( explode( '.', trim( $mark ), 2 ), 2, '' );
			if ( ctype_digit( $time ) && abs( time() - (int) $time ) <= self::MARK_LIFETIME && hash_equals( self::mark( $time ), $key ) ) {
				return true;
			}
		}
		return false;
	}

	private static function mark( string $time ): string {
		return hash_hmac( 'sha256', "footfall-circle\n" . $time, self::secret() );
	}

	/** The marks of the sites before, and this one's. */
	private static function marks(): string {
		$time = (string) time();
		$come = preg_replace( '/[^0-9a-f., ]/', '', substr( Caller::header( self::MARK ), -self::MAX_MARKS ) );
		return ltrim( $come . ', ', ', ' ) . $time . '.' . self::mark( $time );
	}

	private static function stored( string $name ): string {
		$option = get_option( self::OPTION );
		return is_array( $option ) && isset( $option[ $name ] ) ? (string) $option[ $name ] : '';
	}

	/**
	 * Stores what `footfall connect wordpress` has printed.
	 *
	 * @return string Why it cannot be used, as a name for `Health::sentence`; empty if it can.
	 */
	public static function connect( string $address, string $secret ): string {
		$address = rtrim( trim( $address ), '/' );
		$secret  = trim( $secret );
		if ( is_multisite() && ( '' === $address || $address !== self::address() ) ) {
			return 'unconnected';
		}
		if ( ! preg_match( '#^https?://[^/?\#@\s]+(/[^?\#\s]*)?$#iD', $address ) && ! preg_match( self::SOCKET, $address ) ) {
			return 'no_address';
		}
		if ( strlen( $secret ) < 32 ) {
			return 'short_secret';
		}
		Breaker::forget();
		update_option(
			self::OPTION,
			array(
				'address' => $address,
				'secret'  => $secret,
			),
			true
		);
		return '';
	}

	/** Forgets address and secret; what wp-config.php says stays. */
	public static function disconnect(): void {
		Breaker::forget();
		Orders::end_import();
		delete_option( self::OPTION );
		delete_option( Health::OPTION );
	}

	/**
	 * Sends a request to the service itself, past proxies and the filters of WordPress' own HTTP API: it is a neighbour.
	 * A site whose service is slow waits longer: FOOTFALL_TIMEOUT in wp-config.php.
	 *
	 * Whether an answer is signed says whether it is the service's: others may listen at its address.
	 *
	 * @param array<string,string> $headers
	 * @return array{status:int,headers:array<string,string>,body:string,signed:bool}|null Null without a response in time.
	 */
	public static function send( string $method, string $path, array $headers = array(), string $body = '', float $seconds = 10 ): ?array {
		if ( self::is_circle() || Breaker::is_open() ) {
			return null;
		}
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
		$number = bin2hex( random_bytes( 16 ) );

		$headers[ self::MARK ]      = self::marks();
		$headers[ self::REQUEST ]   = $number;
		$headers['Accept-Encoding'] = 'identity';

		$base = self::address();
		if ( preg_match( self::SOCKET, $base, $socket ) ) {
			if ( ! function_exists( 'curl_version' ) ) {
				return null;
			}
			$base                 = 'http://localhost' . ( $socket[2] ?? '' );
			$options['transport'] = Curl::class;
			$options['hooks']     = new Hooks();
			$options['hooks']->register(
				'curl.before_request',
				static function ( $handle ) use ( $socket ) {
					curl_setopt( $handle, CURLOPT_UNIX_SOCKET_PATH, $socket[1] ); // phpcs:ignore WordPress.WP.AlternativeFunctions -- WordPress' own way to set what it has no option for.
				}
			);
		}
		try {
			$response = Requests::request( $base . $path, $headers, $body, $method, $options );
		} catch ( Exception $failure ) {
			if ( 'timeout' === $failure->getType() || 0 === strpos( $failure->getMessage(), 'cURL error 28:' ) ) {
				Breaker::note( false );
			}
			return null;
		}
		Breaker::note( true );
		$received = array();
		foreach ( $response->headers as $name => $value ) {
			$received[ strtolower( $name ) ] = $value;
		}
		$answer           = array(
			'status'  => (int) $response->status_code,
			'headers' => $received,
			'body'    => (string) $response->body,
		);
		$answer['signed'] = self::is_signed( $answer, $number );
		return $answer;
	}

	/** @param array{status:int,headers:array<string,string>,body:string} $answer */
	private static function is_signed( array $answer, string $number ): bool {
		$expected = hash_hmac( 'sha256', "footfall-answer\n" . $number . "\n" . $answer['status'] . "\n" . $answer['body'], self::secret() );
		foreach ( explode( ',', $answer['headers'][ self::SIGNATURE ] ?? '' ) as $signature ) {
			if ( hash_equals( $expected, $signature ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Sends something of the plugin's own work: orders, pages, the state of the shop.
	 *
	 * @param mixed $data
	 * @return int The status; 0 without a response of the service.
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
		return null === $answer || ! $answer['signed'] ? 0 : $answer['status'];
	}
}
