<?php
/**
 * What of WooCommerce leaves this site: an order reduced to what the service reads of it, and the state of the shop.
 *
 * @package Footfall
 */

namespace Footfall;

use WC_Order;
use WC_REST_Order_Refunds_Controller;
use WC_REST_Orders_Controller;
use WP_REST_Request;

defined( 'ABSPATH' ) || exit;

/** Nothing about the customer: no name, no address, no note. */
final class Shop {
	const ITEM   = array( 'product_id', 'variation_id', 'name', 'parent_name', 'quantity', 'total', 'total_tax' );
	const COST   = array( 'total', 'total_tax' );
	const COUPON = array( 'code', 'discount' );
	const REFUND = array( 'id', 'amount', 'date_created_gmt' );
	const ORDER  = array( 'id', 'status', 'currency', 'date_created_gmt', 'date_modified_gmt', 'date_paid_gmt', 'total', 'total_tax', 'shipping_total' );
	/** Where the buyer came from; the entries of WooCommerce also hold the browser's identification, which stays here. */
	const SOURCE = array( 'source_type', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'session_entry' );
	const PREFIX = '_wc_order_attribution_';

	public static function is_there(): bool {
		return function_exists( 'wc_get_orders' ) && class_exists( WC_REST_Orders_Controller::class );
	}

	/** Amounts with all their decimals, whatever the shop shows. */
	private static function request(): WP_REST_Request {
		$request = new WP_REST_Request( 'GET' );
		$request->set_param( 'dp', 6 );
		return $request;
	}

	/** @return array<string,mixed> */
	public static function document( WC_Order $order ): array {
		$request  = self::request();
		$data     = ( new WC_REST_Orders_Controller() )->prepare_object_for_response( $order, $request )->get_data();
		$document = self::pick( $data, self::ORDER );

		$document['line_items']   = self::pick_each( $data['line_items'] ?? array(), self::ITEM );
		$document['coupon_lines'] = self::pick_each( $data['coupon_lines'] ?? array(), self::COUPON );
		$document['refunds']      = array_map( array( self::class, 'refund' ), $order->get_refunds() );
		$document['meta_data']    = self::source( $data['meta_data'] ?? array() );
		return $document;
	}

	/** @return array<string,mixed> */
	private static function refund( $refund ): array {
		$request = self::request();
		$request->set_param( 'order_id', $refund->get_parent_id() );
		$data     = ( new WC_REST_Order_Refunds_Controller() )->prepare_object_for_response( $refund, $request )->get_data();
		$document = self::pick( $data, self::REFUND );

		$document['line_items']     = self::pick_each( $data['line_items'] ?? array(), self::ITEM );
		$document['shipping_lines'] = self::pick_each( $data['shipping_lines'] ?? array(), self::COST );
		$document['fee_lines']      = self::pick_each( $data['fee_lines'] ?? array(), self::COST );
		return $document;
	}

	/** @return array<int,array{key:string,value:string}> */
	private static function source( array $entries ): array {
		$kept = array();
		foreach ( $entries as $entry ) {
			$entry = is_object( $entry ) ? $entry->get_data() : $entry;
			$name  = 0 === strpos( (string) $entry['key'], self::PREFIX ) ? substr( $entry['key'], strlen( self::PREFIX ) ) : '';
			$value = is_string( $entry['value'] ) ? $entry['value'] : '';
			if ( 'referrer' === $name && preg_match( '#^[a-z-]+://[^/]+#i', $value, $host ) ) {
				// The rest of it is nobody's business.
				$value = $host[0] . '/';
			} elseif ( ! in_array( $name, self::SOURCE, true ) ) {
				continue;
			}
			$kept[] = array(
				'key'   => self::PREFIX . $name,
				'value' => $value,
			);
		}
		return $kept;
	}

	/** @param string[] $names */
	private static function pick( array $data, array $names ): array {
		return array_intersect_key( $data, array_flip( $names ) );
	}

	/** @param string[] $names */
	private static function pick_each( array $list, array $names ): array {
		return array_map(
			static function ( $data ) use ( $names ) {
				return self::pick( (array) $data, $names );
			},
			array_values( $list )
		);
	}

	/** Whether orders have tables of their own; null if WooCommerce is too old to know. */
	public static function has_tables(): ?bool {
		$orders = '\Automattic\WooCommerce\Utilities\OrderUtil';
		return class_exists( $orders ) ? $orders::custom_orders_table_usage_is_enabled() : null;
	}

	/** @return array<string,mixed> */
	public static function state(): array {
		$features = '\Automattic\WooCommerce\Utilities\FeaturesUtil';
		return array(
			'woocommerce_version' => defined( 'WC_VERSION' ) ? WC_VERSION : 'unknown',
			'currency'            => get_woocommerce_currency(),
			'hpos_enabled'        => self::has_tables(),
			'attribution_enabled' => class_exists( $features ) ? $features::feature_is_enabled( 'order_attribution' ) : null,
		);
	}
}
