<?php
/**
 * The tables of other statistics plugins, as files for the service's import, which has the preview and the undo.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

/**
 * Reads a table by pages of its key, so that memory does not grow with it and rows that come or go meanwhile move no
 * others.
 */
final class History {
	/** Rows of a page. A day of a table by days is one page. */
	const ROWS = 5000;
	/** Rows of all tables that are sent while somebody waits for a page; of more, the command line sends them. */
	const ROWS_OF_PAGE = 200000;
	/** Bytes that are sent at once. */
	const PIECE = 1048576;

	/** The names of the plugins. */
	const PLUGINS = array(
		'koko'          => 'Koko Analytics',
		'statify'       => 'Statify',
		'wp-statistics' => 'WP Statistics',
	);

	/**
	 * Of each plugin its tables, with the column that pages go by and all columns that are written: nothing that names
	 * or recognises a visitor. Versions have some of the columns and tables only.
	 */
	const TABLES = array(
		'koko'          => array(
			'koko_analytics_site_stats'      => array( 'date', 'visitors', 'pageviews' ),
			'koko_analytics_paths'           => array( 'id', 'path' ),
			'koko_analytics_post_stats'      => array( 'date', 'path_id', 'post_id', 'visitors', 'pageviews' ),
			'koko_analytics_referrer_labels' => array( 'id', 'value' ),
			'koko_analytics_referrer_urls'   => array( 'id', 'url' ),
			'koko_analytics_referrer_stats'  => array( 'date', 'id', 'unique_hits', 'hits', 'visitors', 'pageviews' ),
		),
		'statify'       => array(
			'statify' => array( 'id', 'created', 'referrer', 'target' ),
		),
		'wp-statistics' => array(
			'statistics_summary_totals'        => array( 'ID', 'date', 'visitors', 'views' ),
			'statistics_pages'                 => array( 'page_id', 'uri', 'type', 'date', 'count', 'id' ),
			'statistics_visitor'               => array( 'ID', 'last_counter', 'referred', 'agent', 'platform', 'version', 'device', 'location', 'region', 'city', 'hits', 'honeypot' ),
			'statistics_visitor_relationships' => array( 'ID', 'visitor_id', 'page_id', 'date' ),
		),
	);

	/**
	 * The plugins that have tables here.
	 *
	 * @return array<string,int> The rows of all tables by plugin; of a table at most one more than a page sends, as counting takes long.
	 */
	public static function found(): array {
		global $wpdb;
		$found = array();
		foreach ( self::TABLES as $plugin => $tables ) {
			foreach ( $tables as $name => $wanted ) {
				if ( array() !== self::columns( $name, $wanted ) ) {
					// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- Of another plugin, which has no function for this.
					$found[ $plugin ] = ( $found[ $plugin ] ?? 0 ) + (int) $wpdb->get_var( $wpdb->prepare( 'SELECT COUNT(*) FROM ( SELECT 1 FROM %i LIMIT %d ) AS first_rows', $wpdb->prefix . $name, self::ROWS_OF_PAGE + 1 ) );
				}
			}
		}
		return array_filter( $found );
	}

	/**
	 * Sends the tables that a plugin has here to the service, where they wait for the import for a day.
	 *
	 * @return array{rows:array<string,int>,problem:?string} The rows by file, and what could not be read, written or sent.
	 */
	public static function send( string $plugin, \WP_User $user ): array {
		// phpcs:disable WordPress.WP.AlternativeFunctions -- As in write_table; the files are removed at once.
		$folder = get_temp_dir() . 'footfall-' . bin2hex( random_bytes( 16 ) );
		if ( ! mkdir( $folder, 0700 ) ) {
			return array(
				'rows'    => array(),
				'problem' => $folder,
			);
		}
		try {
			$result = self::write( $plugin, $folder );
			foreach ( null === $result['problem'] ? array_keys( $result['rows'] ) : array() as $path ) {
				$problem = self::send_file( $path, $user );
				if ( null !== $problem ) {
					$result['problem'] = $problem;
					break;
				}
			}
			return $result;
		} finally {
			array_map( 'unlink', glob( "$folder/*" ) );
			rmdir( $folder );
		}
		// phpcs:enable
	}

	/** Sends a file in pieces. @return string|null Why it could not be sent. */
	private static function send_file( string $path, \WP_User $user ): ?string {
		$announced = wp_json_encode(
			array(
				'name'  => basename( $path ),
				'bytes' => filesize( $path ),
			)
		);
		// phpcs:disable WordPress.WP.AlternativeFunctions -- As in write_table.
		$file = fopen( $path, 'r' );
		try {
			$upload = self::ask( 'POST', '', 'application/json', (string) $announced, $user );
			while ( is_array( $upload ) && $upload['received'] < $upload['bytes'] ) {
				fseek( $file, $upload['received'] );
				$upload = self::ask( 'PUT', "/{$upload['id']}?offset={$upload['received']}", 'application/octet-stream', (string) fread( $file, self::PIECE ), $user );
			}
			return is_array( $upload ) ? null : $upload;
		} finally {
			fclose( $file );
		}
		// phpcs:enable
	}

	/** @return array{id:string,bytes:int,received:int}|string What the service has of a file, or why it did not take it. */
	private static function ask( string $method, string $path, string $type, string $body, \WP_User $user ) {
		$headers = array(
			'Authorization' => 'Bearer ' . Token::for_user( $user ),
			'Content-Type'  => $type,
		);
		$answer  = Sidecar::send( $method, '/' . Rest::SPACE . '/uploads' . $path, $headers, $body );
		$decoded = null === $answer || ! $answer['signed'] ? null : json_decode( $answer['body'], true );
		if ( isset( $decoded['id'], $decoded['bytes'], $decoded['received'] ) ) {
			return $decoded;
		}
		return $decoded['message'] ?? Health::why_silent();
	}

	/**
	 * Writes the tables that a plugin has here to new files of a folder.
	 *
	 * @return array{rows:array<string,int>,problem:?string} The rows by file, and what could not be read or written.
	 */
	public static function write( string $plugin, string $folder ): array {
		$written = array();
		foreach ( self::TABLES[ $plugin ] as $name => $wanted ) {
			$columns = self::columns( $name, $wanted );
			if ( array() === $columns ) {
				continue;
			}
			$path = "$folder/$name.csv";
			$rows = file_exists( $path ) ? null : self::write_table( $path, $name, $columns );
			if ( null === $rows ) {
				return array(
					'rows'    => $written,
					'problem' => $path,
				);
			}
			$written[ $path ] = $rows;
		}
		return array(
			'rows'    => $written,
			'problem' => null,
		);
	}

	/**
	 * Those of some columns that a table has; none if there is no such table.
	 *
	 * @param string[] $wanted
	 * @return string[]
	 */
	private static function columns( string $name, array $wanted ): array {
		global $wpdb;
		$table = $wpdb->prefix . $name;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- Of another plugin, which has no function for this.
		if ( $table !== $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) ) ) {
			return array();
		}
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- As above.
		return array_values( array_intersect( $wanted, $wpdb->get_col( $wpdb->prepare( 'SHOW COLUMNS FROM %i', $table ) ) ) );
	}

	/**
	 * Writes a file under another name until it is whole.
	 *
	 * @param string[] $columns
	 * @return int|null The rows; null if it could not be written, or the table not be read.
	 */
	private static function write_table( string $path, string $name, array $columns ): ?int {
		// phpcs:disable WordPress.WP.AlternativeFunctions -- Written piece by piece, which WP_Filesystem cannot.
		$file = is_writable( dirname( $path ) ) ? fopen( "$path.part", 'w' ) : false;
		if ( false === $file ) {
			return null;
		}
		$rows  = 0;
		$whole = false !== fputcsv( $file, $columns, ',', '"', '' );
		foreach ( self::pages( $name, $columns ) as $page ) {
			$whole = $whole && null !== $page;
			foreach ( $whole ? $page : array() as $row ) {
				$whole = $whole && false !== fputcsv( $file, $row, ',', '"', '' );
				++$rows;
			}
		}
		return fclose( $file ) && $whole && rename( "$path.part", $path ) ? $rows : null;
		// phpcs:enable
	}

	/**
	 * The rows of a table, page by page; null for one that could not be read, which is the last.
	 *
	 * @param string[] $columns The first is the key: a day, or a number that only one row has.
	 */
	private static function pages( string $name, array $columns ): \Generator {
		global $wpdb;
		$table = $wpdb->prefix . $name;
		$key   = $columns[0];
		$names = implode( ', ', array_fill( 0, count( $columns ), '%i' ) );
		$last  = 'date' === $key ? '0001-01-01' : -1;
		// phpcs:disable WordPress.DB -- The placeholders are those of the columns; each row is read once.
		while ( true ) {
			if ( 'date' === $key ) {
				$day  = $wpdb->get_var( $wpdb->prepare( 'SELECT MIN(%i) FROM %i WHERE %i > %s', $key, $table, $key, $last ) );
				$page = null === $day ? array() : $wpdb->get_results( $wpdb->prepare( "SELECT $names FROM %i WHERE %i = %s", ...array_merge( $columns, array( $table, $key, $day ) ) ), ARRAY_N );
			} else {
				$page = $wpdb->get_results( $wpdb->prepare( "SELECT $names FROM %i WHERE %i > %d ORDER BY %i LIMIT %d", ...array_merge( $columns, array( $table, $key, $last, $key, self::ROWS ) ) ), ARRAY_N );
			}
			if ( '' !== $wpdb->last_error ) {
				yield null;
				return;
			}
			if ( array() === $page ) {
				return;
			}
			yield $page;
			$last = end( $page )[0];
		}
		// phpcs:enable
	}
}
