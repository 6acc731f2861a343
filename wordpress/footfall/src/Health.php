<?php
/**
 * Whether the service works: asked by cron, shown in Site Health and, if something is wrong, in one notice.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

final class Health {
	const OPTION = 'footfall_state';
	const HOOK   = 'footfall_refresh';
	/** What pages need of the service's settings; counting is on in a new one. */
	const UNKNOWN = array(
		'problem'      => '',
		'tracking'     => true,
		'consent_mode' => '',
		'version'      => '',
		'shop'         => '',
		// The time zone of the reports, if it counts other days than this site has; else ''.
		'other_zone'   => '',
		// Which service has pages and the state of the shop.
		'service'      => '',
		// Orders that the service cannot read: how many, the number of the latest, and why.
		'refused'      => array(),
	);

	public static function register(): void {
		add_action( self::HOOK, array( self::class, 'refresh' ) );
		// phpcs:ignore WordPress.WP.CronInterval -- A service that hangs should be known soon; the question takes a millisecond.
		add_filter( 'cron_schedules', array( self::class, 'add_interval' ) );
		add_action( 'init', array( self::class, 'schedule' ) );
		foreach ( array( Sidecar::OPTION, 'timezone_string', 'gmt_offset' ) as $option ) {
			add_action( 'update_option_' . $option, array( self::class, 'refresh' ) );
			add_action( 'add_option_' . $option, array( self::class, 'refresh' ) );
		}
		add_action( 'admin_notices', array( self::class, 'print_notice' ) );
		add_filter( 'site_status_tests', array( self::class, 'add_test' ) );
		add_filter( 'debug_information', array( self::class, 'add_information' ) );
		register_deactivation_hook( FILE, array( self::class, 'unschedule' ) );
		register_deactivation_hook( FILE, array( Breaker::class, 'forget' ) );
	}

	public static function schedule(): void {
		if ( ! wp_next_scheduled( self::HOOK ) ) {
			wp_schedule_event( time(), self::HOOK, self::HOOK );
		}
	}

	/** @param array<string,mixed> $schedules */
	public static function add_interval( $schedules ) {
		$schedules[ self::HOOK ] = array(
			'interval' => 5 * MINUTE_IN_SECONDS,
			'display'  => 'Footfall',
		);
		return $schedules;
	}

	public static function unschedule(): void {
		wp_clear_scheduled_hook( self::HOOK );
	}

	/** @return array{problem:string,tracking:bool,consent_mode:string,version:string,shop:string} */
	public static function state(): array {
		$state = get_option( self::OPTION );
		return ( is_array( $state ) ? $state : array() ) + self::UNKNOWN;
	}

	private static function save( array $change ): void {
		$state = self::state();
		// Most requests change nothing, and then nothing is written.
		if ( array_intersect_key( $state, $change ) != $change ) { // phpcs:ignore Universal.Operators.StrictComparisons -- Whatever the order of keys.
			update_option( self::OPTION, $change + $state, true );
		}
	}

	/** Asks the service for its settings, as the plugin: the answer also shows whether it takes the secret. */
	public static function refresh(): void {
		if ( ! Sidecar::is_connected() ) {
			self::save( array( 'problem' => '' ) );
			return;
		}
		$answer = self::ask();
		if ( null === $answer ) {
			self::note_failure( 'unreachable' );
			return;
		}
		$body    = json_decode( $answer['body'], true );
		$is_site = 200 === $answer['status'] && isset( $body['tracking_enabled'], $body['version'] );
		if ( ! $answer['signed'] ) {
			// Services sign by the secrets that they know; older ones do not sign.
			$is_newer = isset( $answer['headers'][ Sidecar::SIGNATURE ] );
			self::note_failure( $is_newer ? 'refused' : ( $is_site ? 'old' : 'other' ) );
			return;
		}
		if ( ! $is_site ) {
			self::note_failure( 401 === $answer['status'] ? 'refused' : 'other' );
			return;
		}
		self::note_settings( $body );
		self::save( array( 'refused' => is_array( $body['orders_refused'] ?? null ) ? $body['orders_refused'] : array() ) );
		self::greet();
		self::push_shop();
		self::tell_zone( $body );
	}

	/** What the service says of itself, as the plugin asks. @return array{status:int,headers:array<string,string>,body:string,signed:bool}|null */
	private static function ask(): ?array {
		return Sidecar::send( 'GET', '/analytics/v1/site', array( 'Authorization' => 'Bearer ' . Token::for_push() ), '', 3 );
	}

	/** Tells the service in which time zone this site has its days; one without its own takes it over. @param array<string,mixed> $site */
	private static function tell_zone( array $site ): void {
		if ( ! isset( $site['timezone'] ) ) {
			// An older service.
			return;
		}
		$zone = '+00:00' === wp_timezone_string() ? 'UTC' : wp_timezone_string();
		if ( $zone !== $site['wordpress_timezone'] && 200 === Sidecar::push( 'PUT', '/site', array( 'wordpress_timezone' => $zone ) ) ) {
			$site = self::after_change();
		}
		self::save( array( 'other_zone' => empty( $site['timezone_differs'] ) ? '' : $site['timezone'] ) );
	}

	/** A service that takes a time zone over restarts, which is a moment. @return array<string,mixed> */
	private static function after_change(): array {
		$site = array();
		for ( $tries = 0; $tries < 30; $tries++ ) {
			$answer = self::ask();
			$site   = null !== $answer && 200 === $answer['status'] ? (array) json_decode( $answer['body'], true ) : $site;
			// It may answer once more before it does.
			if ( null !== $answer && ( empty( $site['timezone_differs'] ) || $tries >= 10 ) ) {
				break;
			}
			usleep( 100000 );
		}
		return $site;
	}

	/** Another service than before knows nothing of this site yet. */
	private static function greet(): void {
		$before = self::state()['service'];
		if ( Sidecar::fingerprint() === $before ) {
			return;
		}
		self::save(
			array(
				'service' => Sidecar::fingerprint(),
				'shop'    => '',
			)
		);
		Content::begin();
		if ( '' !== $before ) {
			// The rest of an import is of no use there.
			Orders::end_import();
		}
	}

	/** Reports a shop whose state has changed to the service. */
	private static function push_shop(): void {
		$shop = Shop::is_there() ? md5( (string) wp_json_encode( Shop::state() ) ) : '';
		if ( $shop !== self::state()['shop'] && ( '' === $shop || 204 === Sidecar::push( 'POST', '/woocommerce/state', Shop::state() ) ) ) {
			self::save( array( 'shop' => $shop ) );
		}
	}

	public static function note_failure( string $problem ): void {
		self::save( array( 'problem' => $problem ) );
	}

	public static function note_success(): void {
		self::save( array( 'problem' => '' ) );
	}

	/** @param mixed $settings */
	public static function note_settings( $settings ): void {
		if ( ! is_array( $settings ) || ! isset( $settings['tracking_enabled'], $settings['consent_mode'] ) ) {
			return;
		}
		self::save(
			array(
				'problem'      => '',
				'tracking'     => (bool) $settings['tracking_enabled'],
				'consent_mode' => (string) $settings['consent_mode'],
				'version'      => (string) ( $settings['version'] ?? self::state()['version'] ),
			)
		);
	}

	/** What is wrong, with the one next step. */
	public static function sentence( string $problem ): string {
		// WordPress answers its API in the language of the site, but it is the dashboard's user who reads this.
		if ( defined( 'REST_REQUEST' ) && is_user_logged_in() ) {
			Language::load( get_user_locale() );
		}
		$address = Sidecar::address();
		switch ( $problem ) {
			case 'no_address':
				return __( 'The address must be a URL such as http://127.0.0.1:8787, or a socket such as unix:/run/footfall/footfall.sock.', 'footfall' );
			case 'short_secret':
				return __( 'The secret has at least 32 characters. Copy all of it.', 'footfall' );
			case 'unconnected':
				if ( is_multisite() ) {
					/* translators: %d: the number of a site */
					return sprintf( __( 'Footfall is not connected on this site of the network yet. Add its number and the address of its service to wp-config.php: define( "FOOTFALL_ADDRESS", array( %d => "http://127.0.0.1:8787" ) ); then run "footfall connect wordpress" with that address on the server, and the line that it prints.', 'footfall' ), get_current_blog_id() );
				}
				return __( 'Footfall is not connected yet. Run "footfall connect wordpress" on the server, then the line that it prints, or paste its two values below Footfall > Connection.', 'footfall' );
			case 'unreachable':
				/* translators: %s: an address such as http://127.0.0.1:8787 */
				return sprintf( __( 'The Footfall service does not answer at %s. Start it ("systemctl start footfall"), or correct the address.', 'footfall' ), $address );
			case 'refused':
				return __( 'The Footfall service does not accept the secret of this site. Run "footfall connect wordpress" again, then the line that it prints.', 'footfall' );
			case 'old':
				/* translators: %s: an address such as http://127.0.0.1:8787 */
				return sprintf( __( 'The Footfall service at %s is older than this plugin: its answers are not signed, so that none is shown here. Visits are still counted. Replace the executable of the service and restart it ("systemctl restart footfall").', 'footfall' ), $address );
			case 'other':
				/* translators: %s: an address such as http://127.0.0.1:8787 */
				return sprintf( __( 'At %s answers something other than a Footfall service that fits this plugin. Correct the address, or update the service.', 'footfall' ), $address );
			default:
				return '';
		}
	}

	/** Why the service has not answered, or nothing that is its own. */
	public static function why_silent(): string {
		if ( ! Sidecar::is_connected() ) {
			return self::sentence( 'unconnected' );
		}
		self::refresh();
		return self::sentence( '' === self::state()['problem'] ? 'other' : self::state()['problem'] );
	}

	/** What is missing from revenue. */
	private static function refused(): string {
		$refused = self::state()['refused'];
		if ( ! isset( $refused['count'], $refused['id'], $refused['reason'] ) ) {
			return '';
		}
		/* translators: 1: how many orders, 2: the number of an order, 3: a sentence of the service */
		return sprintf( __( 'The service could not read %1$d orders, which are missing from revenue. The latest is number %2$d: %3$s', 'footfall' ), $refused['count'], $refused['id'], $refused['reason'] );
	}

	/** What another time zone at the service does to the figures; '' if it is this site's. */
	public static function other_zone(): string {
		$zone = self::state()['other_zone'];
		if ( '' === $zone ) {
			return '';
		}
		/* translators: 1: the time zone of WordPress, 2: that of the service */
		return sprintf( __( 'The time zone of WordPress is %1$s, that of the reports %2$s: "today" begins at another time than in WordPress, and revenue per day differs from the shop\'s by the orders around midnight. Start the service with --timezone %1$s, or choose %2$s below Settings > General.', 'footfall' ), wp_timezone_string(), $zone );
	}

	private static function problem(): string {
		return Sidecar::is_connected() ? self::state()['problem'] : 'unconnected';
	}

	public static function print_notice(): void {
		$problem = self::problem();
		if ( '' === $problem || ! current_user_can( 'manage_options' ) ) {
			return;
		}
		printf(
			'<div class="notice notice-%1$s" id="footfall-notice"><p>%2$s <a href="%3$s">%4$s</a></p></div>',
			'unconnected' === $problem ? 'info' : 'error',
			esc_html( self::sentence( $problem ) ),
			esc_url( Settings::address() ),
			esc_html__( 'Connection', 'footfall' )
		);
	}

	/** @param array<string,mixed> $tests */
	public static function add_test( $tests ) {
		$tests['direct']['footfall'] = array(
			'label' => 'Footfall',
			'test'  => array( self::class, 'test' ),
		);
		return $tests;
	}

	/** @return array<string,mixed> */
	public static function test(): array {
		self::refresh();
		$problem = self::problem();
		$more    = '' === $problem ? array_filter( array( self::refused(), self::other_zone() ) ) : array();
		return array(
			'label'       => '' === $problem ? __( 'Footfall counts visits', 'footfall' ) : __( 'Footfall does not count visits', 'footfall' ),
			'status'      => '' === $problem && array() === $more ? 'good' : 'recommended',
			'badge'       => array(
				'label' => 'Footfall',
				'color' => 'blue',
			),
			'description' => self::paragraph( '' === $problem ? __( 'The service answers and accepts the secret of this site.', 'footfall' ) : self::sentence( $problem ) )
				. implode( '', array_map( array( self::class, 'paragraph' ), $more ) ),
			'actions'     => '',
			'test'        => 'footfall',
		);
	}

	private static function paragraph( string $text ): string {
		return '<p>' . esc_html( $text ) . '</p>';
	}

	/** @param array<string,mixed> $information */
	public static function add_information( $information ) {
		$state                   = self::state();
		$information['footfall'] = array(
			'label'  => 'Footfall',
			'fields' => array(
				'plugin'  => array(
					'label' => __( 'Plugin', 'footfall' ),
					'value' => VERSION,
				),
				'address' => array(
					'label' => __( 'Address', 'footfall' ),
					'value' => Sidecar::address(),
				),
				'secret'  => array(
					'label' => __( 'Secret', 'footfall' ),
					'value' => '' === Sidecar::secret() ? __( 'absent', 'footfall' ) : __( 'present', 'footfall' ),
				),
				'service' => array(
					'label' => __( 'Service', 'footfall' ),
					'value' => '' === $state['problem'] ? $state['version'] : $state['problem'],
				),
				'counts'  => array(
					'label' => __( 'Counts visits', 'footfall' ),
					'value' => $state['tracking'] ? __( 'yes', 'footfall' ) : __( 'no', 'footfall' ),
				),
			),
		);
		return $information;
	}
}
