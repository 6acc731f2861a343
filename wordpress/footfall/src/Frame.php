<?php
/**
 * The dashboard in wp-admin: the service's own page in a frame of the same origin.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_HTML_Tag_Processor;

defined( 'ABSPATH' ) || exit;

final class Frame {
	const ACTION = 'footfall_file';
	const PAGE   = 'footfall';
	/** The only files that are served, with their types; '' is the page. */
	const FILES = array(
		''              => 'text/html',
		'dashboard.js'  => 'text/javascript',
		'dashboard.css' => 'text/css',
		'world.json'    => 'application/json',
		'flags.json'    => 'application/json',
		'texts-en.json' => 'application/json',
		'texts-de.json' => 'application/json',
		'texts-fr.json' => 'application/json',
		'texts-es.json' => 'application/json',
		'licenses.txt'  => 'text/plain',
	);
	/** The plugin's own, whatever the service says: scripts and styles in files of this site, and nothing of other hosts. */
	const HEADERS = array(
		'Content-Security-Policy'      => "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
		'Permissions-Policy'           => 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
		'Referrer-Policy'              => 'no-referrer',
		'X-Content-Type-Options'       => 'nosniff',
		'X-Robots-Tag'                 => 'noindex',
		'Cross-Origin-Resource-Policy' => 'same-origin',
	);

	public static function register(): void {
		add_action( 'admin_menu', array( self::class, 'add_menu' ) );
		add_action( 'admin_post_' . self::ACTION, array( self::class, 'serve' ) );
	}

	public static function add_menu(): void {
		$hook = add_menu_page(
			'Footfall',
			'Footfall',
			self::capability(),
			self::PAGE,
			array( self::class, 'print_page' ),
			'dashicons-chart-bar',
			3
		);
		add_action( 'load-' . $hook, array( Health::class, 'refresh' ) );
		add_action( 'admin_print_styles-' . $hook, array( self::class, 'print_style' ) );
	}

	/** Whichever of the three the user has. */
	private static function capability(): string {
		foreach ( array( 'manage_options', Token::VIEW ) as $capability ) {
			if ( current_user_can( $capability ) ) {
				return $capability;
			}
		}
		return Token::VISITS;
	}

	public static function may_read(): bool {
		return current_user_can( self::capability() );
	}

	/** Where the dashboard is in wp-admin. */
	public static function address(): string {
		return admin_url( 'admin.php?page=' . self::PAGE );
	}

	/** Where it is open at a page of the site. */
	public static function report_of( string $address ): string {
		return self::address() . '&report=' . rawurlencode( Figures::page_of( $address ) );
	}

	/** Where it shows what the files that wait for an import would bring. */
	public static function import_address(): string {
		return self::address() . '&import=1';
	}

	/** The view of the dashboard that an address in wp-admin asks for. */
	private static function asked_view(): string {
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only shown.
		if ( isset( $_GET['import'] ) ) {
			return '&view=settings&settings_tab=imports';
		}
		// phpcs:ignore WordPress.Security -- A name of a page, only written into the address of the frame.
		$page = isset( $_GET['report'] ) && is_string( $_GET['report'] ) ? wp_unslash( $_GET['report'] ) : '';
		if ( '' === $page ) {
			return '';
		}
		$filter = array(
			'view'   => 'page',
			'period' => '28d',
			// In filters, these mean more than themselves.
			'page'   => preg_replace( '/[,*]/', '\\\\$0', $page ),
		);
		return '&' . http_build_query( $filter, '', '&', PHP_QUERY_RFC3986 );
	}

	public static function print_style(): void {
		wp_register_style( 'footfall-frame', false, array(), VERSION );
		wp_enqueue_style( 'footfall-frame' );
		wp_add_inline_style(
			'footfall-frame',
			'.toplevel_page_footfall #wpcontent{padding-left:0}.toplevel_page_footfall #wpbody-content{padding-bottom:0}.toplevel_page_footfall #wpfooter{display:none}'
			. '#footfall-frame{display:block;width:100%;height:calc(100vh - var(--wp-admin--admin-bar--height,32px));border:0}'
		);
	}

	public static function print_page(): void {
		if ( ! Sidecar::is_connected() ) {
			printf( '<div class="wrap"><h1>Footfall</h1><p>%s</p></div>', esc_html( Health::sentence( 'unconnected' ) ) );
			return;
		}
		printf(
			'<iframe id="footfall-frame" title="%s" src="%s"></iframe>',
			esc_attr__( 'Footfall dashboard', 'footfall' ),
			esc_url( self::address_of( '' ) . self::asked_view() )
		);
	}

	private static function address_of( string $name, string $version = '' ): string {
		$query = array( 'action' => self::ACTION ) + ( '' === $name ? array() : array(
			'name' => $name,
			'v'    => $version,
		) );
		return admin_url( 'admin-post.php' ) . '?' . http_build_query( $query );
	}

	/** Serves a file of the service to anyone who may read reports. */
	public static function serve(): void {
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Read only, and from a fixed list.
		$name = isset( $_GET['name'] ) ? sanitize_file_name( wp_unslash( $_GET['name'] ) ) : '';
		if ( ! self::may_read() || ! isset( self::FILES[ $name ] ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to access this page.' ), 403 ); // phpcs:ignore WordPress.WP.I18n.MissingArgDomain -- A sentence of WordPress.
		}
		$answer = Sidecar::send( 'GET', '/' . $name );
		if ( null === $answer || 200 !== $answer['status'] || ! $answer['signed'] ) {
			wp_die( esc_html( Health::why_silent() ), 503 );
		}
		header_remove( 'X-Frame-Options' );
		foreach ( self::HEADERS as $header => $value ) {
			header( $header . ': ' . $value );
		}
		header( 'Content-Type: ' . self::FILES[ $name ] . '; charset=UTF-8' );
		if ( '' !== $name && isset( $answer['headers']['cache-control'] ) ) {
			// WordPress has forbidden to cache anything in wp-admin.
			header_remove( 'Expires' );
			header( 'Cache-Control: ' . str_replace( 'public', 'private', $answer['headers']['cache-control'] ) );
		}
		// phpcs:ignore WordPress.Security.EscapeOutput -- The service's own page and files, under its own policy.
		echo '' === $name ? self::adapt( $answer['body'] ) : $answer['body'];
		exit;
	}

	/** Gives the page the addresses here, the nonce, and what it should look like. */
	private static function adapt( string $page ): string {
		$page = preg_replace_callback(
			'/(?<=")([a-z-]+\.(?:js|css|json))\?v=([0-9a-f]+)(?=")/',
			static function ( $match ) {
				return esc_attr( self::address_of( $match[1], $match[2] ) );
			},
			$page
		);
		$html = new WP_HTML_Tag_Processor( $page );
		if ( $html->next_tag( 'html' ) ) {
			$html->set_attribute( 'data-api', site_url( 'index.php', is_ssl() ? 'https' : 'http' ) . '?rest_route=/' . Rest::SPACE );
			$html->set_attribute( 'data-nonce', wp_create_nonce( 'wp_rest' ) );
			$html->set_attribute( 'data-language', str_replace( '_', '-', get_user_locale() ) );
			if ( Shop::is_there() ) {
				$html->set_attribute( 'data-shop', '' );
			}
			$html->set_attribute( 'data-roles', (string) wp_json_encode( array_map( 'translate_user_role', wp_roles()->get_names() ) ) );
		}
		return $html->get_updated_html();
	}
}
