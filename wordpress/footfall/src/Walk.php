<?php
/**
 * Reads all posts, or all orders, a part at a time.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_Query;

defined( 'ABSPATH' ) || exit;

/** By their numbers: what is added or deleted meanwhile moves nothing to another part. */
final class Walk {
	/** In queries, the number after which to begin. */
	const AFTER = 'footfall_after';

	public static function register(): void {
		add_filter( 'posts_where', array( self::class, 'limit' ), 10, 2 );
	}

	/** What a query of posts, or of orders that are kept as posts, adds to its arguments. @return array<string,int> */
	public static function of_posts( int $after ): array {
		return array( self::AFTER => $after );
	}

	/** The same where orders have tables of their own. @return array<string,array> */
	public static function of_orders( int $after ): array {
		return Shop::has_tables() ? array(
			'field_query' => array(
				array(
					'field'   => 'id',
					'value'   => $after,
					'compare' => '>',
				),
			),
		) : self::of_posts( $after );
	}

	public static function limit( $where, $query ) {
		global $wpdb;
		$after = $query instanceof WP_Query ? (int) $query->get( self::AFTER ) : 0;
		return 0 === $after ? $where : $where . $wpdb->prepare( " AND {$wpdb->posts}.ID > %d", $after );
	}
}
