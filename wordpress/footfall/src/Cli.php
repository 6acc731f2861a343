<?php
/**
 * The command `wp footfall`.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_CLI;

defined( 'ABSPATH' ) || exit;

/**
 * Connects this site with the Footfall service, and shows how it is.
 */
final class Cli {
	public static function register(): void {
		if ( defined( 'WP_CLI' ) && WP_CLI ) {
			WP_CLI::add_command( 'footfall', self::class );
		}
	}

	/**
	 * Connects this site with the service. "footfall connect wordpress" on the server prints address and secret.
	 *
	 * ## OPTIONS
	 *
	 * --address=<url>
	 * : Where the service is, such as http://127.0.0.1:8787.
	 *
	 * [--secret=<secret>]
	 * : The secret that the service has made for this site. Without it, it is asked for, or read from standard input:
	 * other users of the server can see command lines.
	 *
	 * ## EXAMPLES
	 *
	 *     wp footfall connect --address=http://127.0.0.1:8787
	 *     wp footfall connect --address=http://127.0.0.1:8787 < secret.txt
	 *
	 * @param string[]             $args
	 * @param array<string,string> $flags
	 */
	public function connect( $args, $flags ): void {
		$problem = Sidecar::connect( $flags['address'], $flags['secret'] ?? self::ask_secret() );
		if ( '' !== $problem ) {
			WP_CLI::error( Health::sentence( $problem ) );
		}
		Health::refresh();
		$this->tell();
	}

	private static function ask_secret(): string {
		return trim( stream_isatty( STDIN ) ? (string) \cli\prompt( 'Secret', false, ': ', true ) : (string) fgets( STDIN ) );
	}

	/**
	 * Ends the connection here: nothing is counted any more. The service accepts the secret until it is revoked there.
	 */
	public function disconnect(): void {
		Sidecar::disconnect();
		if ( Sidecar::is_connected() ) {
			WP_CLI::error( 'The address and the secret are in wp-config.php. Remove FOOTFALL_ADDRESS and FOOTFALL_SECRET there.' );
		}
		WP_CLI::success( 'Disconnected. The service still accepts the secret: run "footfall connect list" and "footfall connect revoke" on the server.' );
	}

	/**
	 * Shows whether the service answers and accepts the secret.
	 */
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
	 * ## EXAMPLES
	 *
	 *     wp footfall orders
	 *     wp footfall report revenue/wc-status
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

	/**
	 * Describes all published pages to the service, in the background.
	 */
	public function content(): void {
		Content::begin();
		WP_CLI::success( 'All published pages are described to the service by cron.' );
	}

	/**
	 * Sends the tables of another statistics plugin to the service, where the dashboard imports them, or writes them to files.
	 *
	 * ## OPTIONS
	 *
	 * <plugin>
	 * : Whose tables.
	 * ---
	 * options:
	 *   - koko
	 *   - statify
	 *   - wp-statistics
	 * ---
	 *
	 * [--send]
	 * : To the service. The dashboard shows what they would bring (Settings, Import), and imports them.
	 *
	 * [--to=<folder>]
	 * : To files for "footfall import", in a folder outside of the site. Files that are there already are kept, and nothing is written over them.
	 *
	 * ## EXAMPLES
	 *
	 *     wp footfall history koko --send
	 *     wp footfall history koko --to=/root/koko
	 *
	 * @param string[]             $args
	 * @param array<string,mixed>  $flags
	 */
	public function history( $args, $flags ): void {
		$sends = ! empty( $flags['send'] );
		if ( $sends === isset( $flags['to'] ) ) {
			WP_CLI::error( 'Name a folder with --to, or add --send.' );
		}
		$folder = rtrim( $flags['to'] ?? '', '/' );
		$result = $sends ? History::send( $args[0], $this->administrator() ) : History::write( $args[0], $folder );
		if ( null !== $result['problem'] ) {
			WP_CLI::error( $sends ? $result['problem'] : "{$result['problem']} could not be written, or is there already." );
		}
		if ( array() === $result['rows'] ) {
			WP_CLI::error( "This site has no tables of {$args[0]}." );
		}
		foreach ( $result['rows'] as $path => $rows ) {
			WP_CLI::log( ( $sends ? basename( $path ) : $path ) . ": $rows rows" );
		}
		WP_CLI::success( $sends ? 'The dashboard shows what they would bring (Settings, Import), and imports them.' : "Choose these files in the dashboard (Settings, Import), or run: footfall import $folder" );
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
	 * Prints a report.
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
	 * [--limit=<rows>]
	 * : How many rows, of a report that is a list.
	 *
	 * [--format=<format>]
	 * : json is all that the service answers; table and csv are its rows.
	 * ---
	 * default: json
	 * options:
	 *   - table
	 *   - json
	 *   - csv
	 * ---
	 *
	 * ## EXAMPLES
	 *
	 *     wp footfall report pages --from=2026-03-01 --to=2026-03-31 --limit=10 --format=table
	 *
	 * @param string[]             $args
	 * @param array<string,string> $flags
	 */
	public function report( $args, $flags ): void {
		$query  = array_intersect_key( $flags, array_flip( array( 'from', 'to', 'limit' ) ) ) + array(
			'from' => current_datetime()->modify( '-29 days' )->format( 'Y-m-d' ),
			'to'   => current_datetime()->format( 'Y-m-d' ),
		);
		$answer = Rest::ask( 'GET', '/' . ltrim( $args[0], '/' ), $query, '', array(), $this->administrator() );
		if ( 200 !== $answer['status'] ) {
			$this->fail( $answer );
		}
		if ( 'json' !== $flags['format'] ) {
			$this->print_rows( json_decode( $answer['body'], true )['data'] ?? array(), $flags['format'] );
			return;
		}
		WP_CLI::line( (string) wp_json_encode( json_decode( $answer['body'] ), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE ) );
	}

	/**
	 * The rows of a list with their figures and names; of other reports each figure, by its name. What is a list itself is left out.
	 *
	 * @param array<mixed> $data
	 */
	private function print_rows( array $data, string $format ): void {
		$is_list = array_values( $data ) === $data;
		$rows    = array();
		foreach ( $is_list ? $data : self::flat( $data ) as $name => $row ) {
			$rows[] = $is_list ? self::flat( (array) $row ) : array(
				'name'  => $name,
				'value' => $row,
			);
		}
		\WP_CLI\Utils\format_items( $format, $rows, array_keys( $rows[0] ?? array( 'name' => '' ) ) );
	}

	/** Such as totals.visitors. @return array<string,mixed> */
	private static function flat( array $values, string $before = '' ): array {
		$found = array();
		foreach ( $values as $name => $value ) {
			if ( ! is_array( $value ) ) {
				$found[ $before . $name ] = $value;
			} elseif ( array_values( $value ) !== $value ) {
				$found += self::flat( $value, $before . $name . '.' );
			}
		}
		return $found;
	}
}
