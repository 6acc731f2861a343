<?php
/**
 * Functions for themes.
 *
 * @package Footfall
 */

use Footfall\Shown;

defined( 'ABSPATH' ) || exit;

/**
 * The views of a published post, formatted, such as "1,234"; '' where there is nothing to show.
 *
 * @param WP_Post|int|null $post   The current one unless given.
 * @param string           $period 7d, 28d, 90d, 12mo or all.
 */
function footfall_views( $post = null, string $period = 'all' ): string {
	$post = get_post( $post );
	return null === $post ? '' : Shown::views_of( Shown::address_of( $post ), $period );
}

/**
 * The most viewed published posts, most first: their numbers, with their views.
 *
 * @param array{period?:string,number?:int,type?:string} $choice The last 28 days, five, "post" unless given.
 * @return array<int,int>
 */
function footfall_popular_posts( array $choice = array() ): array {
	return Shown::popular( $choice );
}
