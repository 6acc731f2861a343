<?php
/**
 * The service's API under /wp-json/analytics/v1/: passed on with a token of the user, and answered as the service does.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_REST_Request;
use WP_REST_Response;
use WP_User;

defined( 'ABSPATH' ) || exit;

final class Rest {
	const SPACE = 'analytics/v1';

	/** All routes, written by test/reference: those of accounts and logins are the service's own, which refuses tokens there. */
	const ROUTES = array(
		'/openapi.json'                            => 'GET',
		'/hit'                                     => 'POST',
		'/event'                                   => 'POST',
		'/engagement'                              => 'POST',
		'/forget'                                  => 'POST',
		'/summary'                                 => 'GET',
		'/sources'                                 => 'GET',
		'/pages'                                   => 'GET',
		'/pages/entry'                             => 'GET',
		'/pages/exit'                              => 'GET',
		'/paths'                                   => 'GET',
		'/realtime'                                => 'GET',
		'/utm'                                     => 'GET',
		'/utm/landing'                             => 'GET',
		'/events'                                  => 'GET',
		'/events/{name}'                           => 'GET',
		'/dimensions/os/browser'                   => 'GET',
		'/dimensions/weekday/hour'                 => 'GET',
		'/dimensions/{type}'                       => 'GET',
		'/sites'                                   => 'GET',
		'/filters/{key}'                           => 'GET',
		'/goals/report'                            => 'GET',
		'/goals/{id}/breakdown'                    => 'GET',
		'/funnels/{id}/report'                     => 'GET',
		'/content'                                 => 'GET,POST',
		'/annotations'                             => 'GET,POST',
		'/refusals'                                => 'GET',
		'/bots'                                    => 'GET,PUT',
		'/revenue/wc-status'                       => 'GET',
		'/revenue/summary'                         => 'GET',
		'/revenue/timeseries'                      => 'GET',
		'/revenue/by-channel'                      => 'GET',
		'/revenue/by-utm'                          => 'GET',
		'/revenue/by-landing'                      => 'GET',
		'/revenue/products'                        => 'GET',
		'/revenue/funnel'                          => 'GET',
		'/revenue/refunds'                         => 'GET',
		'/revenue/coupons'                         => 'GET',
		'/now'                                     => 'GET',
		'/known-texts'                             => 'POST',
		'/orders'                                  => 'POST',
		'/woocommerce/webhook'                     => 'POST',
		'/woocommerce/state'                       => 'POST',
		'/revenue/backfill'                        => 'POST',
		'/revenue/reconcile'                       => 'POST,GET',
		'/advisor/questions'                       => 'GET',
		'/advisor/answers'                         => 'POST',
		'/advisor/ask'                             => 'POST',
		'/advisor/changes'                         => 'GET',
		'/advisor/preferences'                     => 'GET,PUT',
		'/advisor/preferences/{user}'              => 'DELETE',
		'/settings'                                => 'GET,PUT',
		'/rules'                                   => 'GET,PUT',
		'/rules/preview'                           => 'POST',
		'/erase'                                   => 'POST',
		'/site'                                    => 'GET,PUT',
		'/mail'                                    => 'GET',
		'/mail/test'                               => 'POST',
		'/digest'                                  => 'GET',
		'/audit'                                   => 'GET',
		'/cron/run'                                => 'POST',
		'/diagnostics'                             => 'GET',
		'/self-test'                               => 'POST',
		'/check'                                   => 'POST',
		'/privacy-audit'                           => 'GET',
		'/metrics'                                 => 'GET',
		'/diagnostics/enable-fallback-city'        => 'POST',
		'/uploads'                                 => 'GET,POST',
		'/uploads/{id}'                            => 'PUT,DELETE',
		'/imports'                                 => 'POST,GET',
		'/imports/current'                         => 'GET,PUT',
		'/imports/{id}'                            => 'DELETE',
		'/segments'                                => 'GET,POST',
		'/segments/{id}'                           => 'GET,PUT,DELETE',
		'/goals'                                   => 'GET,POST',
		'/goals/preview'                           => 'POST',
		'/goals/{id}'                              => 'GET,PUT,DELETE',
		'/funnels'                                 => 'GET,POST',
		'/funnels/preview'                         => 'POST',
		'/funnels/{id}'                            => 'GET,PUT,DELETE',
		'/annotations/{id}'                        => 'PUT,DELETE',
		'/alerts'                                  => 'GET,PUT',
		'/alerts/history'                          => 'GET',
		'/share-links'                             => 'GET,POST',
		'/share-links/{uuid}'                      => 'GET,DELETE',
		'/counter/{link}'                          => 'GET',
		'/session'                                 => 'GET',
		'/batch'                                   => 'POST',
		'/sessions'                                => 'GET,DELETE',
		'/sessions/{id}'                           => 'DELETE',
		'/users'                                   => 'GET,POST',
		'/users/me'                                => 'GET,PUT,DELETE',
		'/users/{id}'                              => 'GET,PUT,DELETE',
		'/invitations'                             => 'GET,POST',
		'/invitations/{uuid}'                      => 'DELETE',
		'/invitations/accept'                      => 'POST',
		'/digests'                                 => 'GET,POST',
		'/digests/{uuid}'                          => 'DELETE',
		'/users/me/totp'                           => 'GET,POST,DELETE',
		'/users/me/totp/confirm'                   => 'POST',
		'/users/{id}/application-passwords'        => 'GET,POST,DELETE',
		'/users/{id}/application-passwords/{uuid}' => 'DELETE',
	);

	/** Parameters that WordPress itself reads. */
	const OWN = array( 'rest_route', '_fields', '_envelope', '_jsonp', '_wpnonce', '_method', '_locale', '_embed' );

	/** Without a user, only these are asked for: hits, and deliveries of the shop, which are signed. */
	const OPEN = array( '/hit', '/event', '/engagement', '/forget', '/woocommerce/webhook' );

	/** Headers of the service that are passed on. */
	const HEADERS = array( 'x-wp-total', 'x-wp-totalpages', 'link', 'retry-after', 'etag', 'allow', 'server-timing', 'x-request-id', 'x-footfall-check', 'x-footfall-outcome', 'access-control-allow-origin', 'cache-control', 'content-type' );

	/** Headers of the plugin's own: whatever a browser is sent from here, it shows nothing of it as a page. */
	const SAFE = array(
		'x-content-type-options'  => 'nosniff',
		'content-security-policy' => "default-src 'none'; frame-ancestors 'none'",
		'referrer-policy'         => 'no-referrer',
		'x-robots-tag'            => 'noindex',
	);

	/** Types of bodies: the API's, and that of its metrics. Others are left out. */
	const TYPES = array( 'application/json', 'text/plain' );

	public static function register(): void {
		add_action( 'rest_api_init', array( self::class, 'add_routes' ) );
		// Before other plugins, which may refuse a request here.
		add_filter( 'rest_request_before_callbacks', array( self::class, 'leave_body' ), 0, 2 );
		// After WordPress, which describes a route by what it knows.
		add_filter( 'rest_pre_dispatch', array( self::class, 'describe' ), 11, 3 );
		// After all that sends headers.
		add_filter( 'rest_pre_serve_request', array( self::class, 'print_unchanged' ), 99, 3 );
	}

	/** The route that an address names as it was sent, such as /analytics/v1/summary; null if it does not look like one of the REST API. */
	public static function requested(): ?string {
		// phpcs:disable WordPress.Security -- Only compared with routes.
		if ( isset( $_GET['rest_route'] ) ) {
			return is_string( $_GET['rest_route'] ) ? $_GET['rest_route'] : null;
		}
		// phpcs:enable
		$path   = (string) strtok( Caller::server( 'REQUEST_URI' ), '?' );
		$prefix = '/' . trim( rest_get_url_prefix(), '/' ) . '/';
		$at     = strpos( $path, $prefix . self::SPACE . '/' );
		return false === $at ? null : substr( $path, $at + strlen( $prefix ) - 1 );
	}

	/** WordPress alone decides which route an address means, and asks other plugins whether the caller may; then the service does. */
	public static function add_routes(): void {
		foreach ( self::ROUTES as $path => $methods ) {
			register_rest_route(
				self::SPACE,
				preg_replace( '/\{(\w+)\}/', '(?P<$1>[^/]+)', $path ),
				array(
					'methods'             => $methods,
					'callback'            => array( self::class, 'answer' ),
					// The service decides, by the token.
					'permission_callback' => '__return_true',
					'footfall'            => $path,
				)
			);
		}
	}

	/** The service reads bodies itself: those who may not ask learn nothing about theirs. */
	public static function leave_body( $response, $handler ) {
		return isset( $handler['footfall'] ) && is_wp_error( $response ) && 'rest_invalid_json' === $response->get_error_code() ? null : $response;
	}

	/** Answers OPTIONS with the arguments that the service knows. */
	public static function describe( $result, $server, WP_REST_Request $request ) {
		$is_ours = 'OPTIONS' === $request->get_method() && $result instanceof WP_REST_Response && isset( $request->get_attributes()['footfall'] );
		return $is_ours && is_user_logged_in() ? self::answer( $request ) : $result;
	}

	/** Answers a request that WordPress has found to be of one of the routes. */
	public static function answer( WP_REST_Request $request ): Answer {
		$route = $request->get_attributes()['footfall'];
		if ( isset( Collect::KINDS[ $route ] ) && 'POST' === $request->get_method() ) {
			return self::to_response( Collect::pass_on( $route, (string) $request->get_body() ) );
		}
		$values = array();
		foreach ( $request->get_url_params() as $name => $value ) {
			$values[ '{' . $name . '}' ] = (string) $value;
		}
		$method = 'HEAD' === $request->get_method() ? 'GET' : $request->get_method();
		$user   = wp_get_current_user();
		if ( ! $user->exists() && Sidecar::is_connected() && ! Sidecar::is_circle() && ! ( 'POST' === $method && in_array( $route, self::OPEN, true ) ) ) {
			// Strangers never make PHP wait for the service.
			return self::to_response( self::refusal( 401, 'rest_forbidden', __( 'Sorry, you are not allowed to do that.' ) ) ); // phpcs:ignore WordPress.WP.I18n.MissingArgDomain -- A sentence of WordPress.
		}
		return self::to_response( self::ask( $method, strtr( $route, $values ), $request->get_query_params(), (string) $request->get_body(), Caller::headers(), $user ) );
	}

	/**
	 * Asks the service as a user of this site.
	 *
	 * @param string               $path  Not encoded.
	 * @param array<string,mixed>  $query
	 * @param array<string,string> $headers
	 * @return array{status:int,headers:array<string,string>,body:string}
	 */
	public static function ask( string $method, string $path, array $query, string $body, array $headers, WP_User $user ): array {
		if ( ! Sidecar::is_connected() || Sidecar::is_circle() ) {
			return self::unavailable( 'footfall_not_connected', Health::sentence( 'unconnected' ) );
		}
		if ( 'POST' === $method && '/revenue/backfill' === $path && Shop::is_there() && user_can( $user, 'manage_options' ) ) {
			$answer = Orders::import( $body, $user );
			if ( null !== $answer ) {
				return $answer;
			}
		}
		if ( $user->exists() ) {
			$headers['Authorization'] = 'Bearer ' . Token::for_user( $user );
		}
		$query  = http_build_query( array_diff_key( $query, array_flip( self::OWN ) ), '', '&', PHP_QUERY_RFC3986 );
		if ( preg_match( '#/\.{1,2}(?=/|$)#', $path ) ) {
			// Whoever reads the address next would take it for another.
			return self::refusal( 404, 'rest_no_route', __( 'No route was found matching the URL and request method.' ) ); // phpcs:ignore WordPress.WP.I18n.MissingArgDomain -- A sentence of WordPress.
		}
		$path   = implode( '/', array_map( 'rawurlencode', explode( '/', $path ) ) );
		$answer = Sidecar::send( $method, '/' . self::SPACE . $path . ( '' === $query ? '' : '?' . $query ), $headers, $body );
		if ( null === $answer ) {
			Health::note_failure( 'unreachable' );
			return self::unavailable( 'footfall_unreachable', Health::sentence( 'unreachable' ) );
		}
		if ( ! $answer['signed'] ) {
			// Why, says what describes the service.
			Health::refresh();
			$problem = '' === Health::state()['problem'] ? 'other' : Health::state()['problem'];
			return self::unavailable( 'refused' === $problem ? 'footfall_secret_refused' : 'footfall_unsigned', Health::sentence( $problem ) );
		}
		// Anyone with a token is known to the service, unless it does not accept the secret.
		if ( 401 === $answer['status'] && $user->exists() ) {
			Health::note_failure( 'refused' );
			return self::unavailable( 'footfall_secret_refused', Health::sentence( 'refused' ) );
		}
		if ( 200 === $answer['status'] && '/settings' === $path ) {
			Health::note_settings( json_decode( $answer['body'], true ) );
		} elseif ( $user->exists() ) {
			Health::note_success();
		}
		return $answer;
	}

	/** @return array{status:int,headers:array<string,string>,body:string} */
	private static function unavailable( string $code, string $message ): array {
		$answer                           = self::refusal( 503, $code, $message );
		$answer['headers']['retry-after'] = '10';
		return $answer;
	}

	/** An answer of the plugin's own. @return array{status:int,headers:array<string,string>,body:string} */
	public static function refusal( int $status, string $code, string $message ): array {
		return array(
			'status'  => $status,
			'headers' => array(
				'content-type'  => 'application/json; charset=UTF-8',
				'cache-control' => 'no-store',
			),
			'body'    => (string) wp_json_encode(
				array(
					'code'    => $code,
					'message' => $message,
					'data'    => array( 'status' => $status ),
				)
			),
		);
	}

	/**
	 * What of an answer a browser is sent.
	 *
	 * @param array{status:int,headers:array<string,string>,body:string} $answer
	 * @return array{status:int,headers:array<string,string>,body:string}
	 */
	private static function safe( array $answer ): array {
		$type    = strtolower( trim( (string) strtok( $answer['headers']['content-type'] ?? '', ';' ) ) );
		$is_ours = in_array( $type, self::TYPES, true );
		return array(
			'status'  => $answer['status'],
			'headers' => self::SAFE + array_intersect_key( $answer['headers'], array_flip( self::HEADERS ) ),
			'body'    => $is_ours ? $answer['body'] : '',
		);
	}

	/** @param array{status:int,headers:array<string,string>,body:string} $answer */
	private static function to_response( array $answer ): Answer {
		$answer   = self::safe( $answer );
		$data     = self::is_json( $answer ) ? self::to_arrays( json_decode( $answer['body'] ) ) : $answer['body'];
		$response = new Answer( '' === $answer['body'] ? null : $data, $answer['status'] );
		foreach ( $answer['headers'] as $name => $value ) {
			if ( 'content-type' !== $name || ( '' !== $answer['body'] && ! self::is_json( $answer ) ) ) {
				$response->header( ucwords( $name, '-' ), $value );
			}
		}
		$response->unchanged = $answer['body'];
		return $response;
	}

	/** @param array{headers:array<string,string>} $answer */
	private static function is_json( array $answer ): bool {
		return isset( $answer['headers']['content-type'] ) && false !== strpos( $answer['headers']['content-type'], 'json' );
	}

	/**
	 * Arrays, which `_fields` of WordPress takes; an empty object stays one.
	 *
	 * @param mixed $value
	 * @return mixed
	 */
	private static function to_arrays( $value ) {
		if ( is_object( $value ) && array() === get_object_vars( $value ) ) {
			return $value;
		}
		return is_object( $value ) || is_array( $value ) ? array_map( array( self::class, 'to_arrays' ), (array) $value ) : $value;
	}

	/** Sends a body as the service has written it, unless WordPress was asked for another form. */
	public static function print_unchanged( $served, $response, $request ) {
		if ( $served || ! $response instanceof Answer || null !== $request['_fields'] || null !== $request['_envelope'] || null !== $request['_jsonp'] ) {
			return $served;
		}
		// WordPress 6.2 would send those headers after the body; the service has said by itself what may be cached.
		add_filter( 'rest_send_nocache_headers', '__return_false', 99 );
		if ( 'HEAD' !== $request->get_method() ) {
			// phpcs:ignore WordPress.Security.EscapeOutput -- JSON, or text of another type than HTML.
			echo $response->unchanged;
		}
		return true;
	}

	/** @param array{status:int,headers:array<string,string>,body:string} $answer */
	public static function print_answer( array $answer ): void {
		$answer = self::safe( $answer );
		if ( '' === $answer['body'] ) {
			// Or PHP calls it text/html.
			$answer['headers']['content-type'] = 'application/json; charset=UTF-8';
		}
		http_response_code( $answer['status'] );
		foreach ( $answer['headers'] as $name => $value ) {
			header( ucwords( $name, '-' ) . ': ' . $value );
		}
		// phpcs:ignore WordPress.Security.EscapeOutput -- JSON, or text of another type than HTML.
		echo $answer['body'];
	}
}
