<?php
/**
 * The tracker in the pages, with what WordPress knows of each.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_HTML_Tag_Processor;

defined( 'ABSPATH' ) || exit;

/** No page ever asks the service: whether to count is known from the last time that it was asked. */
final class Tracker {
	const HANDLE = 'footfall';

	public static function register(): void {
		add_action( 'wp_enqueue_scripts', array( self::class, 'enqueue' ) );
		add_filter( 'script_loader_tag', array( self::class, 'complete' ), 10, 2 );
		add_filter( 'wp_consent_api_registered_' . plugin_basename( FILE ), '__return_true' );
	}

	public static function enqueue(): void {
		if ( ! self::is_wanted() ) {
			return;
		}
		wp_enqueue_script( self::HANDLE, plugins_url( 'assets/tracker.js', FILE ), array(), VERSION, false );
		// Not in the element below, which is gone where other plugins put scripts into one.
		wp_add_inline_script( self::HANDLE, 'window.footfallConfig=' . wp_json_encode( self::config() ) . ';', 'before' );
		if ( Shop::is_there() ) {
			wp_enqueue_script( 'footfall-shop', plugins_url( 'assets/shop.js', FILE ), array(), VERSION, true );
			wp_add_inline_script( 'footfall-shop', 'window.footfallShop=' . wp_json_encode( (object) self::stage() ) . ';', 'before' );
		}
		if ( wp_script_is( 'wp-consent-api', 'registered' ) ) {
			wp_enqueue_script( 'footfall-consent', plugins_url( 'assets/consent.js', FILE ), array( 'wp-consent-api' ), VERSION, true );
		}
	}

	private static function is_wanted(): bool {
		return Sidecar::is_connected() && Health::state()['tracking']
			&& ! is_preview() && ! is_customize_preview() && ! is_feed() && ! is_robots() && ! is_trackback();
	}

	/** What the tracker has from attributes elsewhere, by their names in `dataset`. @return array<string,string> */
	private static function config(): array {
		$config = array( 'api' => self::api() ) + self::facts();
		if ( 'full' === Health::state()['consent_mode'] ) {
			$config['mode'] = 'full';
		}
		// A page for a logged-in user is not cached for others, so that it may say who reads it.
		if ( is_user_logged_in() ) {
			$config['token'] = Token::for_visit( wp_get_current_user() );
		}
		return array_filter( $config, 'strlen' );
	}

	/** Which stage of a purchase a page is. @return array<string,mixed> */
	private static function stage(): array {
		if ( function_exists( 'is_order_received_page' ) && is_order_received_page() ) {
			$order = wc_get_order( absint( get_query_var( 'order-received' ) ) );
			// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- The key is what WooCommerce itself knows the buyer by.
			$key = isset( $_GET['key'] ) ? sanitize_text_field( wp_unslash( $_GET['key'] ) ) : '';
			return $order && hash_equals( $order->get_order_key(), $key ) && self::is_news( $order )
				? array(
					'order' => $order->get_id(),
					'value' => (float) $order->get_total(),
				)
				: array();
		}
		if ( function_exists( 'is_checkout' ) && is_checkout() ) {
			return array( 'checkout' => true );
		}
		return function_exists( 'is_product' ) && is_product() ? array( 'product' => get_the_ID() ) : array();
	}

	/** Whether an order is paid, and was made or paid just now: who opens its page again on another day is another visitor. */
	private static function is_news( $order ): bool {
		foreach ( array_filter( array( $order->get_date_created(), $order->get_date_paid() ) ) as $date ) {
			if ( $date->getTimestamp() > time() - HOUR_IN_SECONDS ) {
				return $order->is_paid();
			}
		}
		return false;
	}

	/** Relative to the host, which may have several names. */
	private static function api(): string {
		return rtrim( (string) preg_replace( '#^https?://[^/]+#', '', rest_url( Rest::SPACE ) ), '/' );
	}

	/** @return array<string,string> */
	private static function facts(): array {
		if ( is_404() ) {
			return array( 'status' => '404' );
		}
		if ( is_singular() ) {
			$post = get_queried_object();
			return array(
				'resourceType' => $post->post_type,
				'resourceId'   => (string) $post->ID,
				'author'       => (string) get_the_author_meta( 'display_name', (int) $post->post_author ),
				'publishedAt'  => (string) get_post_time( 'c', true, $post ),
			);
		}
		foreach ( array( 'home', 'search', 'author', 'date', 'category', 'tag', 'archive' ) as $type ) {
			if ( call_user_func( 'is_' . $type ) ) {
				return array( 'resourceType' => $type );
			}
		}
		return array();
	}

	/** Attributes of an enqueued script have no way into its tag but this. */
	public static function complete( $tag, $handle ) {
		if ( self::HANDLE !== $handle ) {
			return $tag;
		}
		$html = new WP_HTML_Tag_Processor( $tag );
		while ( $html->next_tag( 'script' ) ) {
			if ( null === $html->get_attribute( 'src' ) ) {
				continue;
			}
			$html->set_attribute( 'id', 'footfall-js' );
			$html->set_attribute( 'defer', true );
			// For `footfall check`, which does not run scripts.
			$html->set_attribute( 'data-api', self::api() );
		}
		return $html->get_updated_html();
	}
}
