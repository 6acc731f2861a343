<?php
/**
 * A double of what the plugin calls of WooCommerce, for tests: orders are documents of the REST API, kept in an option,
 * and the scheduler is a list that runs when it is told to. It fires hooks as WooCommerce does: several times a change.
 */

// phpcs:disable
namespace {
	define( 'WC_VERSION', '11.0.1' );

	/** An order or refund; its data is its document of the REST API. */
	class WC_Order {
		public $document;
		public function __construct( array $document ) { $this->document = $document; }
		public function get_id() { return $this->document['id']; }
		public function get_parent_id() { return $this->document['parent_id'] ?? 0; }
		public function get_type() { return $this->document['type'] ?? 'shop_order'; }
		public function get_status() { return $this->document['status']; }
		public function get_order_key() { return $this->document['order_key']; }
		public function is_paid() { return in_array( $this->get_status(), array( 'processing', 'completed' ), true ); }
		public function get_date_created() { return $this->date( 'date_created_gmt' ); }
		public function get_date_paid() { return $this->date( 'date_paid_gmt' ); }
		private function date( string $name ) { return isset( $this->document[ $name ] ) ? new DateTime( $this->document[ $name ], new DateTimeZone( 'UTC' ) ) : null; }
		public function get_total() { return $this->document['total']; }
		public function get_refunds() {
			return array_map( 'wc_get_order', array_column( array_filter( double_orders(), function ( $one ) { return 'shop_order_refund' === ( $one['type'] ?? '' ) && $one['parent_id'] === $this->get_id(); } ), 'id' ) );
		}
	}

	class Double_Meta {
		private $entry;
		public function __construct( array $entry ) { $this->entry = $entry; }
		public function get_data() { return $this->entry; }
	}

	class WC_REST_Orders_Controller {
		public function prepare_object_for_response( $order, $request ) {
			$data              = $order->document;
			$data['refunds']   = array_map( function ( $refund ) { return array( 'id' => $refund->get_id(), 'reason' => '', 'total' => '-' . $refund->document['amount'] ); }, $order->get_refunds() );
			$data['meta_data'] = array_map( function ( $entry ) { return new Double_Meta( $entry ); }, $data['meta_data'] ?? array() );
			return new WP_REST_Response( $data );
		}
	}

	class WC_REST_Order_Refunds_Controller {
		public function prepare_object_for_response( $refund, $request ) {
			if ( (int) $request['order_id'] !== $refund->get_parent_id() ) {
				return new WP_Error( 'woocommerce_rest_invalid_order_refund_id' );
			}
			return new WP_REST_Response( $refund->document );
		}
	}

	function double_orders() { return get_option( 'double_orders', array() ); }
	function wc_get_order( $id ) {
		$all = double_orders();
		return isset( $all[ (int) $id ] ) ? new WC_Order( $all[ (int) $id ] ) : false;
	}
	/** After which number a query begins: by a field of the tables, or by what WP_Query would be asked. */
	function double_after( array $query ): int {
		if ( get_option( 'double_deaf' ) ) {
			return 0;
		}
		if ( get_option( 'double_posts' ) ) {
			$asked      = new WP_Query();
			$asked->query_vars = $query;
			return preg_match( '/^ AND wp_posts\.ID > (\d+)$/', apply_filters( 'posts_where', '', $asked ), $found ) ? (int) $found[1] : 0;
		}
		$field = $query['field_query'][0];
		return 'id' === $field['field'] && '>' === $field['compare'] ? $field['value'] : 0;
	}
	function wc_get_orders( $query ) {
		$all = array_filter( double_orders(), function ( $one ) use ( $query ) {
			if ( ( $one['type'] ?? 'shop_order' ) !== $query['type'] || 'trash' === $one['status'] || $one['id'] <= double_after( $query ) ) {
				return false;
			}
			if ( isset( $query['date_created'] ) ) {
				list( $from, $to ) = explode( '...', $query['date_created'] );
				$day = substr( $one['date_created'], 0, 10 );
				return $from <= $day && $day <= $to;
			}
			return ! isset( $query['date_modified'] ) || strtotime( $one['date_modified_gmt'] . 'Z' ) >= (int) substr( $query['date_modified'], 2 );
		} );
		ksort( $all );
		return (object) array(
			'orders'        => array_map( 'wc_get_order', array_keys( array_slice( $all, 0, $query['limit'], true ) ) ),
			'total'         => count( $all ),
			'max_num_pages' => (int) ceil( count( $all ) / $query['limit'] ),
		);
	}
	function get_woocommerce_currency() { return 'EUR'; }
	function is_product() { return is_page( 'product' ); }
	function is_checkout() { return is_page( 'checkout' ); }
	function is_order_received_page() { return is_checkout() && get_query_var( 'order-received' ); }
	add_filter( 'query_vars', function ( $names ) { return array_merge( $names, array( 'order-received' ) ); } );

	/** Saves an order as the shop does. */
	function double_save( array $document, string $hook = 'woocommerce_update_order' ) {
		$all                      = double_orders();
		$all[ $document['id'] ]   = $document;
		update_option( 'double_orders', $all, false );
		do_action( $hook, $document['id'] );
		do_action( 'woocommerce_update_order', $document['id'] );
		do_action( 'woocommerce_update_order', $document['id'] );
	}
	function double_refund( array $refund, int $order ) {
		$refund = array( 'parent_id' => $order, 'type' => 'shop_order_refund', 'status' => 'completed' ) + $refund;
		// WooCommerce announces a refund as it does an order.
		double_save( $refund, 'woocommerce_new_order' );
		do_action( 'woocommerce_order_refunded', $order, $refund['id'] );
	}
	function double_delete( int $id ) {
		do_action( 'woocommerce_before_delete_order', $id );
		$all = double_orders();
		unset( $all[ $id ] );
		update_option( 'double_orders', $all, false );
	}

	function as_get_scheduled_actions( $query, $form ) {
		return array_keys( array_filter( get_option( 'double_actions', array() ), function ( $one ) use ( $query ) { return $one['hook'] === $query['hook'] && $one['args'] === $query['args']; } ) );
	}
	function as_schedule_single_action( $at, $hook, $args, $group ) {
		$all   = get_option( 'double_actions', array() );
		$all[] = compact( 'at', 'hook', 'args' );
		update_option( 'double_actions', $all, false );
	}
	function as_unschedule_all_actions( $hook ) { delete_option( 'double_actions' ); }

	/** Runs what is due within so many seconds, and what that schedules, but so many at most; returns how many ran. */
	function double_run( int $within = 0, int $most = 1000 ): int {
		for ( $ran = 0; ; $ran++ ) {
			$all = get_option( 'double_actions', array() );
			$due = array_filter( $all, function ( $one ) use ( $within ) { return $one['at'] <= time() + $within; } );
			if ( array() === $due || $ran === $most ) {
				return $ran;
			}
			$key = array_key_first( $due );
			unset( $all[ $key ] );
			update_option( 'double_actions', $all, false );
			do_action_ref_array( $due[ $key ]['hook'], $due[ $key ]['args'] );
		}
	}
}

namespace Automattic\WooCommerce\Utilities {
	class OrderUtil {
		public static function custom_orders_table_usage_is_enabled() { return ! get_option( 'double_posts' ); }
	}
	class FeaturesUtil {
		public static function feature_is_enabled( $name ) { return 'order_attribution' === $name; }
		public static function declare_compatibility() {}
	}
}
