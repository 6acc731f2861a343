<?php
/**
 * Orders on their way to the service: each change once, again later if the service does not answer, and all of them on
 * request.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_User;

defined( 'ABSPATH' ) || exit;

final class Orders {
	const SEND    = 'footfall_send_order';
	const WALK    = 'footfall_walk_orders';
	const NIGHTLY = 'footfall_nightly';
	/** How far an import of all orders is. */
	const OPTION = 'footfall_import';
	/** Since when, in seconds, the plugin was not active. */
	const LEFT  = 'footfall_left';
	const BATCH = 100;
	/** Seconds that are compared every night. */
	const RECENT = 3 * DAY_IN_SECONDS;
	/** Pauses before something is sent again. */
	const PAUSES = array( 5 * MINUTE_IN_SECONDS, 30 * MINUTE_IN_SECONDS, 2 * HOUR_IN_SECONDS );
	/** After those, an order is sent once a day for a month: no comparison finds one that is deleted. */
	const ATTEMPTS = 33;

	/** @var array<int,true> Numbers of orders that this request has changed. */
	private static $noted = array();

	public static function register(): void {
		foreach ( array( 'new_order', 'update_order', 'trash_order', 'untrash_order', 'before_delete_order', 'order_refunded' ) as $name ) {
			add_action( 'woocommerce_' . $name, array( self::class, 'note' ) );
		}
		add_action( 'woocommerce_refund_deleted', array( self::class, 'note_refund' ), 10, 2 );
		add_action( 'shutdown', array( self::class, 'enqueue' ) );
		add_action( self::SEND, array( self::class, 'send' ), 10, 2 );
		add_action( self::WALK, array( self::class, 'walk' ), 10, 3 );
		add_action( self::NIGHTLY, array( self::class, 'compare' ) );
		add_action( 'init', array( self::class, 'schedule' ) );
		add_action( 'before_woocommerce_init', array( self::class, 'declare_compatibility' ) );
		register_deactivation_hook( FILE, array( self::class, 'unschedule' ) );
	}

	public static function declare_compatibility(): void {
		$features = '\Automattic\WooCommerce\Utilities\FeaturesUtil';
		if ( class_exists( $features ) ) {
			$features::declare_compatibility( 'custom_order_tables', FILE, true );
		}
	}

	public static function schedule(): void {
		if ( Shop::is_there() && ! wp_next_scheduled( self::NIGHTLY ) ) {
			wp_schedule_event( current_datetime()->modify( 'tomorrow 03:40' )->getTimestamp(), 'daily', self::NIGHTLY );
			// The plugin, or the shop, was just activated: nobody noted what changed before.
			self::compare( min( time() - self::RECENT, (int) get_option( self::LEFT, time() ) ) );
			delete_option( self::LEFT );
		}
	}

	/** Also ends an import: nothing goes on with it, and the next one would wait for it. */
	public static function unschedule(): void {
		if ( false !== get_option( self::OPTION ) ) {
			self::cancel();
		}
		update_option( self::LEFT, time(), false );
		wp_clear_scheduled_hook( self::NIGHTLY );
		foreach ( array( self::SEND, self::WALK ) as $hook ) {
			if ( function_exists( 'as_unschedule_all_actions' ) ) {
				as_unschedule_all_actions( $hook );
			}
			wp_unschedule_hook( $hook );
		}
	}

	/** WooCommerce announces a change several times. A refund is an order of another type, and its number no order's. */
	public static function note( $id ): void {
		$order = wc_get_order( $id );
		if ( $order && 'shop_order' === $order->get_type() && 'checkout-draft' !== $order->get_status() ) {
			self::$noted[ (int) $id ] = true;
		}
	}

	public static function note_refund( $refund, $order ): void {
		self::note( $order );
	}

	/** Once a request, so that no buyer waits for the service. */
	public static function enqueue(): void {
		if ( Sidecar::is_connected() ) {
			foreach ( array_keys( self::$noted ) as $id ) {
				self::run_later( self::SEND, array( $id, 0 ), 0 );
			}
		}
		self::$noted = array();
	}

	/** Runs an action in the background, by WooCommerce's scheduler or, without it, by WordPress' own; each once. */
	private static function run_later( string $hook, array $arguments, int $seconds ): void {
		if ( ! function_exists( 'as_schedule_single_action' ) ) {
			wp_schedule_single_event( time() + $seconds, $hook, $arguments );
			return;
		}
		$waiting = as_get_scheduled_actions(
			array(
				'hook'     => $hook,
				'args'     => $arguments,
				'status'   => 'pending',
				'per_page' => 1,
			),
			'ids'
		);
		if ( array() === $waiting ) {
			as_schedule_single_action( time() + $seconds, $hook, $arguments, 'footfall' );
		}
	}

	/** Sends the state that an order has by now; of one that is gone, that it is. */
	public static function send( $id, $attempt = 0 ): void {
		$order    = wc_get_order( $id );
		$is_gone  = ! $order || 'trash' === $order->get_status();
		$document = $is_gone ? array( 'id' => (int) $id ) : Shop::document( $order );
		if ( self::is_later( Sidecar::push( 'POST', '/orders', $document ) ) && $attempt < self::ATTEMPTS ) {
			self::run_later( self::SEND, array( (int) $id, $attempt + 1 ), self::PAUSES[ $attempt ] ?? DAY_IN_SECONDS );
		}
	}

	/** Whether a later attempt may succeed: the service is away, or does not take the secret. */
	private static function is_later( int $status ): bool {
		return 0 === $status || 401 === $status || 429 === $status || $status >= 500;
	}

	/** Sends what has changed since a second, or in the last three days, in case something was missed. @param int $since */
	public static function compare( $since = 0 ): void {
		if ( Shop::is_there() && Sidecar::is_connected() ) {
			self::run_later( self::WALK, array( 'changed', 0, (int) $since ), 0 );
		}
	}

	/**
	 * Starts or cancels the import of all orders, in the place of the service, which has no key to this shop.
	 *
	 * @return array{status:int,headers:array<string,string>,body:string}|null Null for a body that the service is to refuse.
	 */
	public static function import( string $body, WP_User $user ): ?array {
		$wanted = '' === $body ? array() : json_decode( $body, true );
		$days   = is_array( $wanted ) ? array_intersect_key( $wanted, array_flip( array( 'from', 'to' ) ) ) : null;
		if ( null === $days || array() !== array_filter( $days, array( self::class, 'is_no_day' ) ) ) {
			return null;
		}
		if ( empty( $wanted['cancel'] ) ) {
			if ( false !== get_option( self::OPTION ) ) {
				return Rest::refusal( 409, 'backfill_in_progress', 'An import of orders is already running. Send {"cancel": true} to cancel it.' );
			}
			$import = array( 'number' => wp_rand( 1 ), 'processed' => 0, 'refunds' => 0, 'total' => null, 'failures' => 0 ) + $days;
			update_option( self::OPTION, $import, false );
			self::tell( 'running', $import );
			self::run_later( self::WALK, array( 'all', 0, $import['number'] ), 0 );
		} else {
			self::cancel();
		}
		$answer = Rest::ask( 'GET', '/revenue/wc-status', array(), '', array(), $user );
		if ( 200 === $answer['status'] ) {
			$status           = json_decode( $answer['body'] );
			$answer['body']   = (string) wp_json_encode( $status->data->backfill );
			$answer['status'] = 202;
		}
		return $answer;
	}

	private static function cancel(): void {
		if ( Shop::is_there() ) {
			self::tell( 'cancelled', (array) get_option( self::OPTION, array() ) );
		}
		self::end_import();
	}

	public static function end_import(): void {
		delete_option( self::OPTION );
	}

	public static function is_no_day( $day ): bool {
		return ! is_string( $day ) || ! preg_match( '/^\d{4}-\d\d-\d\d$/', $day );
	}

	/** Reports the shop, and an import, to the service. @param array<string,mixed> $import */
	private static function tell( string $state, array $import, ?string $error = null ): int {
		$progress = array( 'state' => $state, 'last_error' => $error ) + array_intersect_key( $import, array_flip( array( 'total', 'processed', 'refunds' ) ) );
		return Sidecar::push( 'POST', '/woocommerce/state', Shop::state() + array( 'backfill' => $progress ) );
	}

	/**
	 * Sends a hundred orders, then goes on with the next.
	 *
	 * @param string $which 'all', or 'changed' in the last days.
	 * @param int    $after The last order that was sent.
	 * @param int    $of    Of which import; with 'changed', the second since when, or 0 for the last three days.
	 */
	public static function walk( $which, $after = 0, $of = 0 ): void {
		$import = get_option( self::OPTION );
		// One that was cancelled, perhaps with another begun since, is not gone on with.
		if ( ! Shop::is_there() || ( 'all' === $which && ( ! is_array( $import ) || ( $import['number'] ?? 0 ) !== $of ) ) ) {
			return;
		}
		$query  = 'all' === $which ? self::created( $import ) : array( 'date_modified' => '>=' . ( $of ? $of : time() - self::RECENT ) );
		$found  = wc_get_orders(
			$query + Walk::of_orders( (int) $after ) + array(
				'type'     => 'shop_order',
				'limit'    => self::BATCH,
				'orderby'  => 'ID',
				'order'    => 'ASC',
				'paginate' => true,
			)
		);
		$orders = array_values( $found->orders );
		if ( array() !== $orders && $orders[0]->get_id() <= $after ) {
			// Another plugin changes the query: going on would send the same orders for ever.
			if ( 'all' === $which ) {
				self::end_import();
				self::tell( 'failed', $import, 'The shop does not list its orders by their numbers.' );
			}
			return;
		}
		$sent   = array_map( array( Shop::class, 'document' ), $orders );
		$status = array() === $sent ? 200 : Sidecar::push( 'POST', '/orders', $sent );
		$last   = 200 === $status && array() !== $orders ? end( $orders )->get_id() : (int) $after;
		if ( 'all' === $which ) {
			self::note_progress( $import, $last, $found, $sent, $status );
		} elseif ( $found->max_num_pages > 1 && 200 === $status ) {
			self::run_later( self::WALK, array( $which, $last, $of ), 0 );
		}
	}

	/** @param array<string,mixed> $import */
	private static function created( array $import ): array {
		$from = $import['from'] ?? '1970-01-01';
		$to   = $import['to'] ?? '2199-12-31';
		return isset( $import['from'] ) || isset( $import['to'] ) ? array( 'date_created' => $from . '...' . $to ) : array();
	}

	/**
	 * @param array<string,mixed> $import
	 * @param int                 $last   The last order that was sent.
	 * @param object              $found  With the number of orders that were left to send.
	 */
	private static function note_progress( array $import, int $last, $found, array $sent, int $status ): void {
		if ( 200 !== $status ) {
			$pause = self::PAUSES[ $import['failures'] ] ?? null;
			++$import['failures'];
			if ( null === $pause ) {
				delete_option( self::OPTION );
				self::tell( 'failed', $import, 'The service did not take the orders: ' . $status . '.' );
				return;
			}
			update_option( self::OPTION, $import, false );
			self::run_later( self::WALK, array( 'all', $last, $import['number'] ), $pause );
			return;
		}
		$import['failures']   = 0;
		$import['total']      = $import['processed'] + (int) $found->total;
		$import['processed'] += count( $sent );
		$import['refunds']   += array_sum( array_map( 'count', array_column( $sent, 'refunds' ) ) );
		if ( $found->max_num_pages > 1 ) {
			update_option( self::OPTION, $import, false );
			self::tell( 'running', $import );
			self::run_later( self::WALK, array( 'all', $last, $import['number'] ), 0 );
		} else {
			delete_option( self::OPTION );
			self::tell( 'done', $import );
		}
	}
}
