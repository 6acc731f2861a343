<?php
/**
 * The column "Views" in the lists of posts, pages and products, and a link to the report of each.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_Post;
use WP_Query;

defined( 'ABSPATH' ) || exit;

final class Columns {
	/** Of the column, and of its order. */
	const NAME = 'footfall_views';
	/** The range: in addresses, and what a user has chosen last. */
	const PERIOD = 'footfall_period';

	public static function register(): void {
		add_action( 'admin_init', array( self::class, 'add_columns' ) );
		add_action( 'restrict_manage_posts', array( self::class, 'print_choice' ) );
		add_action( 'load-edit.php', array( self::class, 'note_choice' ) );
		add_action( 'admin_print_styles-edit.php', array( self::class, 'print_style' ) );
		add_filter( 'posts_orderby', array( self::class, 'order' ), 10, 2 );
		add_filter( 'post_row_actions', array( self::class, 'add_link' ), 10, 2 );
		add_filter( 'page_row_actions', array( self::class, 'add_link' ), 10, 2 );
	}

	public static function add_columns(): void {
		if ( ! Sidecar::is_connected() || ! ( Frame::may_read() || current_user_can( Token::OWN ) ) ) {
			return;
		}
		foreach ( Content::types() as $type ) {
			add_filter( 'manage_' . $type . '_posts_columns', array( self::class, 'add_column' ) );
			add_action( 'manage_' . $type . '_posts_custom_column', array( self::class, 'print_cell' ), 10, 2 );
			// Others learn nothing of posts that are not theirs, not even by their order.
			if ( Frame::may_read() ) {
				add_filter( 'manage_edit-' . $type . '_sortable_columns', array( self::class, 'add_order' ) );
			}
		}
	}

	/** @param array<string,string> $columns */
	public static function add_column( $columns ) {
		return $columns + array( self::NAME => __( 'Views', 'footfall' ) );
	}

	/** @param array<string,mixed> $columns */
	public static function add_order( $columns ) {
		// Most first.
		return $columns + array( self::NAME => array( self::NAME, true ) );
	}

	public static function print_style(): void {
		wp_add_inline_style( 'common', '.fixed .column-' . self::NAME . '{width:6.5em}' );
	}

	/** The range that was chosen, here or before. */
	private static function period(): string {
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only chooses what is shown.
		$asked = isset( $_GET[ self::PERIOD ] ) ? sanitize_key( $_GET[ self::PERIOD ] ) : get_user_meta( get_current_user_id(), self::PERIOD, true );
		return in_array( $asked, Figures::PERIODS, true ) ? $asked : '28d';
	}

	public static function note_choice(): void {
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- A choice of what is shown, from a fixed list.
		if ( isset( $_GET[ self::PERIOD ] ) ) {
			update_user_meta( get_current_user_id(), self::PERIOD, self::period() );
		}
	}

	public static function print_choice( $type ): void {
		if ( ! has_filter( 'manage_' . $type . '_posts_columns', array( self::class, 'add_column' ) ) ) {
			return;
		}
		$names = Figures::names();
		printf( '<select name="%s" aria-label="%s">', esc_attr( self::PERIOD ), esc_attr__( 'Views', 'footfall' ) );
		foreach ( Figures::PERIODS as $period ) {
			printf( '<option value="%s"%s>%s</option>', esc_attr( $period ), selected( self::period(), $period, false ), esc_html( $names[ $period ] ) );
		}
		printf( '</select>' );
	}

	public static function print_cell( $column, $id ): void {
		if ( self::NAME !== $column ) {
			return;
		}
		$post = get_post( $id );
		$text = $post instanceof WP_Post ? self::views_of( $post ) : '—';
		if ( '—' !== $text && Frame::may_read() ) {
			printf( '<a href="%s">%s</a>', esc_url( Frame::report_of( (string) get_permalink( $post ) ) ), esc_html( $text ) );
		} else {
			echo esc_html( $text );
		}
	}

	private static function views_of( WP_Post $post ): string {
		$is_own = current_user_can( Token::OWN ) && get_current_user_id() === (int) $post->post_author;
		$pages  = 'publish' === $post->post_status && ( $is_own || Frame::may_read() ) ? Figures::pages( self::period() ) : null;
		return null === $pages ? '—' : Figures::views_of( (string) get_permalink( $post ), $pages );
	}

	/** Orders a list by views, in both directions; the newest first of those without. */
	public static function order( $order, $query ) {
		global $wpdb;
		if ( ! is_admin() || ! $query instanceof WP_Query || ! $query->is_main_query() || self::NAME !== $query->get( 'orderby' ) || ! Frame::may_read() ) {
			return $order;
		}
		$views     = Figures::pages( self::period() )['views'] ?? array();
		$ids       = array_keys( Content::most_viewed( $views, $query->get( 'post_type' ) ) );
		$direction = 'ASC' === strtoupper( (string) $query->get( 'order' ) ) ? 'ASC' : 'DESC';
		return array() === $ids ? $order : "FIELD({$wpdb->posts}.ID," . implode( ',', array_reverse( $ids ) ) . ") $direction, {$wpdb->posts}.post_date DESC";
	}

	/** @param array<string,string> $links */
	public static function add_link( $links, $post ) {
		if ( Sidecar::is_connected() && Frame::may_read() && 'publish' === $post->post_status && in_array( $post->post_type, Content::types(), true ) ) {
			$links['footfall'] = sprintf( '<a href="%s">%s</a>', esc_url( Frame::report_of( (string) get_permalink( $post ) ) ), esc_html__( 'Views', 'footfall' ) );
		}
		return $links;
	}
}
