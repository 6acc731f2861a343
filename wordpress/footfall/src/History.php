<?php
/**
 * The tables of other statistics plugins, as files for the service's import.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

/**
 * Writes each table by pages of rows, so that memory does not grow with it.
 */
final class History {
	private const ROWS = 5000;

	/** Of each plugin its tables, with the columns of their order. None has addresses or names of visitors. */
	public const TABLES = array(
		'koko'    => array(
			'koko_analytics_site_stats'      => array( 'date', 'date' ),
			'koko_analytics_paths'           => array( 'id', 'id' ),
			'koko_analytics_post_stats'      => array( 'date', 'path_id' ),
			'koko_analytics_referrer_labels' => array( 'id', 'id' ),
			'koko_analytics_referrer_stats'  => array( 'date', 'id' ),
		),
		'statify' => array(
			'statify' => array( 'id', 'id' ),
		),
	);

	/** The first table of a plugin that is missing here, or ''. */
	public static function missing( string $plugin ): string {
		global $wpdb;
		foreach ( array_keys( self::TABLES[ $plugin ] ) as $name ) {
			$table = $wpdb->prefix . $name;
			// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- whether the table is there now
			if ( $table !== $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) ) ) {
				return $table;
			}
		}
		return '';
	}

	/**
	 * Writes the tables of a plugin to new files of a folder.
	 *
	 * @return string|null What could not be written or read.
	 */
	public static function write( string $plugin, string $folder ): ?string {
		foreach ( self::TABLES[ $plugin ] as $name => $order ) {
			$path = "$folder/$name.csv";
			// phpcs:ignore WordPress.WP.AlternativeFunctions, WordPress.PHP.NoSilencedErrors -- a new file only, and by pieces
			$file = @fopen( $path, 'x' );
			if ( false === $file || ! self::write_table( $file, $name, $order ) ) {
				return $path;
			}
		}
		return null;
	}

	/** @param resource $file @param string[] $order */
	private static function write_table( $file, string $name, array $order ): bool {
		global $wpdb;
		$first = 0;
		do {
			// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- each row is read once
			$rows = $wpdb->get_results( $wpdb->prepare( 'SELECT * FROM %i ORDER BY %i, %i LIMIT %d OFFSET %d', $wpdb->prefix . $name, $order[0], $order[1], self::ROWS, $first ), ARRAY_A );
			if ( '' !== $wpdb->last_error ) {
				return false;
			}
			foreach ( $rows as $at => $row ) {
				if ( 0 === $first + $at && false === fputcsv( $file, array_keys( $row ), ',', '"', '' ) ) {
					return false;
				}
				if ( false === fputcsv( $file, $row, ',', '"', '' ) ) {
					return false;
				}
			}
			$first += self::ROWS;
		} while ( count( $rows ) === self::ROWS );
		// phpcs:ignore WordPress.WP.AlternativeFunctions -- what was opened above
		return fclose( $file );
	}
}
