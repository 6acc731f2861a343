<?php
/**
 * The command `wp footfall`.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_CLI;

defined( 'ABSPATH' ) || exit;

/** Connects this site with the Footfall service, and shows how it is. */
final class Cli {
	public static function register(): void {
		if ( defined( 'WP_CLI' ) && WP_CLI ) {
			WP_CLI::add_command( 'footfall', self::class );
		}
	}

	/**
	 * Connects this site with the service. `footfall connect wordpress` prints the line.
	 *
	 * ## OPTIONS
	 *
	 * --address=<url>
	 * : Where the service is, such as http://127.0.0.1:8787.
	 *
	 * --secret=<secret>
	 * : The secret that the service has made for this site.
	 *
	 * @param string[]             $args
	 * @param array<string,string> $flags
	 */
	public function connect( $args, $flags ): void {
		$problem = Sidecar::connect( $flags['address'], $flags['secret'] );
		if ( '' !== $problem ) {
			WP_CLI::error( Health::sentence( $problem ) );
		}
		Health::refresh();
		$this->tell();
	}

	/** Shows whether the service answers and accepts the secret. */
	public function status(): void {
		Health::refresh();
		$this->tell();
	}

	private function tell(): void {
		$state   = Health::state();
		$problem = Sidecar::is_connected() ? $state['problem'] : 'unconnected';
		if ( '' !== $problem ) {
			WP_CLI::error( Health::sentence( $problem ) );
		}
		WP_CLI::success( sprintf( 'Connected with Footfall %s at %s.', $state['version'], Sidecar::address() ) );
		if ( ! $state['tracking'] ) {
			WP_CLI::warning( 'Counting is turned off in the settings of the service.' );
		}
		if ( '' !== Health::other_zone() ) {
			WP_CLI::warning( Health::other_zone() );
		}
	}

	/**
	 * Imports all orders of the shop in the background; wc-status of the reports has the progress.
	 *
	 * ## OPTIONS
	 *
	 * [--cancel]
	 * : Ends an import that was started before.
	 *
	 * @param string[]           $args
	 * @param array<string,bool> $flags
	 */
	public function orders( $args, $flags ): void {
		if ( ! Shop::is_there() ) {
			WP_CLI::error( 'WooCommerce is not active.' );
		}
		$is_cancelled = ! empty( $flags['cancel'] );
		$answer       = Orders::import( $is_cancelled ? '{"cancel":true}' : '', $this->administrator() );
		if ( null === $answer || 202 !== $answer['status'] ) {
			$this->fail( $answer );
		}
		WP_CLI::success( $is_cancelled ? 'The import was cancelled.' : 'The import has started. "wp footfall report revenue/wc-status" has its progress.' );
	}

	/** Describes all published pages to the service, in the background. */
	public function content(): void {
		Content::begin();
		WP_CLI::success( 'All published pages are described to the service by cron.' );
	}

	private function fail( ?array $answer ): void {
		$body = json_decode( $answer['body'] ?? '', true );
		WP_CLI::error( $body['message'] ?? 'The service answered ' . ( $answer['status'] ?? 0 ) . '.' );
	}

	/** In whose name the command line asks. */
	private function administrator(): \WP_User {
		$administrators = get_users(
			array(
				'capability' => 'manage_options',
				'number'     => 1,
			)
		);
		if ( array() === $administrators ) {
			WP_CLI::error( 'This site has no administrator, in whose name to ask.' );
		}
		return $administrators[0];
	}

	/**
	 * Prints a report as JSON.
	 *
	 * ## OPTIONS
	 *
	 * <name>
	 * : Such as summary, pages or dimensions/country.
	 *
	 * [--from=<day>]
	 * : The first day; by default 30 days ago.
	 *
	 * [--to=<day>]
	 * : The last day; by default today.
	 *
	 * @param string[]             $args
	 * @param array<string,string> $flags
	 */
	public function report( $args, $flags ): void {
		$query  = array_intersect_key( $flags, array_flip( array( 'from', 'to' ) ) ) + array(
			'from' => current_datetime()->modify( '-29 days' )->format( 'Y-m-d' ),
			'to'   => current_datetime()->format( 'Y-m-d' ),
		);
		$answer = Rest::ask( 'GET', '/' . ltrim( $args[0], '/' ), $query, '', array(), $this->administrator() );
		if ( 200 !== $answer['status'] ) {
			$this->fail( $answer );
		}
		WP_CLI::line( (string) wp_json_encode( json_decode( $answer['body'] ), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE ) );
	}
}
