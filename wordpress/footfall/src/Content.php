<?php
/**
 * Describes published pages to the service: one when it is published or changed, all of them once.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_Post;
use WP_Query;

defined( 'ABSPATH' ) || exit;

/** By cron, so that nobody who publishes waits for the service. */
final class Content {
	const ONE   = 'footfall_describe';
	const ALL   = 'footfall_describe_all';
	const BATCH = 500;

	public static function register(): void {
		add_action( 'transition_post_status', array( self::class, 'note' ), 10, 3 );
		add_action( self::ONE, array( self::class, 'describe' ) );
		add_action( self::ALL, array( self::class, 'describe_all' ) );
		register_deactivation_hook( FILE, array( self::class, 'unschedule' ) );
	}

	public static function unschedule(): void {
		wp_unschedule_hook( self::ONE );
		wp_unschedule_hook( self::ALL );
	}

	public static function note( $status, $before, WP_Post $post ): void {
		if ( 'publish' === $status && Sidecar::is_connected() && self::is_page( $post ) && ! wp_next_scheduled( self::ONE, array( $post->ID ) ) ) {
			wp_schedule_single_event( time(), self::ONE, array( $post->ID ) );
		}
	}

	/** A new connection: its service knows no page yet. */
	public static function begin(): void {
		wp_schedule_single_event( time(), self::ALL, array( 0 ) );
	}

	/** Types of posts that have pages of their own. @return string[] */
	public static function types(): array {
		return array_values( array_diff( get_post_types( array( 'public' => true ) ), array( 'attachment' ) ) );
	}

	private static function is_page( WP_Post $post ): bool {
		return is_post_type_viewable( $post->post_type ) && 'attachment' !== $post->post_type;
	}

	public static function describe( $id ): void {
		$post = get_post( $id );
		if ( $post instanceof WP_Post && 'publish' === $post->post_status && self::is_page( $post ) ) {
			self::send( array( $post ), self::ONE, $id );
		}
	}

	/** @param int $after The last post that was described. */
	public static function describe_all( $after = 0 ): void {
		$found = new WP_Query(
			Walk::of_posts( (int) $after ) + array(
				'post_type'      => self::types(),
				'post_status'    => 'publish',
				'posts_per_page' => self::BATCH,
				'orderby'        => 'ID',
				'order'          => 'ASC',
			)
		);
		if ( array() !== $found->posts && self::send( $found->posts, self::ALL, $after ) && $found->max_num_pages > 1 ) {
			wp_schedule_single_event( time(), self::ALL, array( end( $found->posts )->ID ) );
		}
	}

	/**
	 * Sends descriptions; tries again in an hour if the service is away.
	 *
	 * @param WP_Post[] $posts
	 * @param int       $argument
	 */
	private static function send( array $posts, string $hook, $argument ): bool {
		$sent = Sidecar::push( 'POST', '/content', array_map( array( self::class, 'item' ), $posts ) );
		if ( 200 !== $sent && 400 !== $sent ) {
			wp_schedule_single_event( time() + HOUR_IN_SECONDS, $hook, array( $argument ) );
		}
		return 200 === $sent;
	}

	/**
	 * Published posts that have views, by their numbers, most first.
	 *
	 * @param array<string,int> $views By pages.
	 * @param string|string[]   $type
	 * @return array<int,int>
	 */
	public static function most_viewed( array $views, $type ): array {
		$slugs = array();
		$ids   = array( (int) get_option( 'page_on_front' ), (int) get_option( 'page_for_posts' ) );
		foreach ( array_keys( $views ) as $page ) {
			// The last part of the path names the post, or any number in it.
			$slugs[] = basename( (string) strtok( $page, '?' ) );
			preg_match_all( '/(?<=[\/=])\d+/', $page, $numbers );
			array_push( $ids, ...array_map( 'intval', $numbers[0] ) );
		}
		$published = array(
			'post_type'   => $type,
			'post_status' => 'publish',
			'numberposts' => -1,
		);
		$posts     = array_merge(
			get_posts( $published + array( 'post_name__in' => array_filter( $slugs, 'strlen' ) ) ),
			get_posts( $published + array( 'post__in' => array_unique( $ids ) ) )
		);
		$found     = array();
		foreach ( $posts as $post ) {
			$found[ $post->ID ] = $views[ Figures::page_of( (string) get_permalink( $post ) ) ] ?? 0;
		}
		arsort( $found );
		return array_filter( $found );
	}

	/** @return array<string,string> */
	private static function item( WP_Post $post ): array {
		return array(
			'page'          => (string) get_permalink( $post ),
			'title'         => mb_substr( html_entity_decode( wp_strip_all_tags( get_the_title( $post ) ), ENT_QUOTES, 'UTF-8' ), 0, 300 ),
			'resource_type' => substr( $post->post_type, 0, 40 ),
			'published_at'  => (string) get_post_time( 'c', true, $post ),
			'author'        => mb_substr( (string) get_the_author_meta( 'display_name', (int) $post->post_author ), 0, 100 ),
		);
	}
}
