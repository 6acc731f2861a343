<?php
/**
 * Figures where people look anyway: a widget on WordPress' dashboard, and today's visitors in the toolbar.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_Admin_Bar;

defined( 'ABSPATH' ) || exit;

final class Glance {
	/** Of the chart, in its own units. */
	const HEIGHT = 60;
	const STEP   = 10;

	public static function register(): void {
		add_action( 'wp_dashboard_setup', array( self::class, 'add_widget' ) );
		add_action( 'admin_bar_menu', array( self::class, 'add_to_toolbar' ), 80 );
	}

	public static function add_widget(): void {
		if ( Sidecar::is_connected() && Frame::may_read() ) {
			wp_add_dashboard_widget( 'footfall', 'Footfall', array( self::class, 'print_widget' ) );
		}
	}

	public static function print_widget(): void {
		$figures = Figures::overview( true );
		if ( null === $figures ) {
			printf( '<p>%s</p>', esc_html__( 'There are no figures at the moment.', 'footfall' ) );
			return;
		}
		printf( '<p><strong>%s</strong> · %s</p>', esc_html( self::visitors( $figures ) ), esc_html( self::views( $figures ) ) );
		self::print_chart( $figures['days'] );
		self::print_list( 'pages', __( 'Most viewed pages', 'footfall' ), $figures['pages'] );
		self::print_list( 'sources', __( 'Where visitors came from', 'footfall' ), $figures['sources'] );
		printf( '<p><a href="%s">%s</a></p>', esc_url( Frame::address() ), esc_html__( 'All reports', 'footfall' ) );
	}

	/** @param array<string,mixed> $figures */
	private static function visitors( array $figures ): string {
		/* translators: %s: a number */
		return sprintf( __( 'Visitors today: %s', 'footfall' ), number_format_i18n( $figures['visitors'] ) );
	}

	/** @param array<string,mixed> $figures */
	private static function views( array $figures ): string {
		/* translators: %s: a number */
		return sprintf( __( 'Views today: %s', 'footfall' ), number_format_i18n( $figures['views'] ) );
	}

	/** A bar a day. @param array<string,int> $days */
	private static function print_chart( array $days ): void {
		$most  = max( 1, ...array_values( $days ) );
		$width = count( $days ) * self::STEP;
		/* translators: %s: a number */
		$name = sprintf( __( 'Visitors of the last 28 days: %s', 'footfall' ), number_format_i18n( array_sum( $days ) ) );
		printf( '<p>%s</p>', esc_html( $name ) );
		printf( '<svg id="footfall-days" viewBox="0 0 %d %d" width="100%%" height="80" preserveAspectRatio="none" fill="#2271b1" role="img" aria-label="%s">', (int) $width, (int) self::HEIGHT, esc_attr( $name ) );
		$x = 0;
		foreach ( $days as $day => $visitors ) {
			// A day without anybody still has a line.
			$height = max( 1, (int) round( $visitors / $most * self::HEIGHT ) );
			printf(
				'<rect x="%d" y="%d" width="%d" height="%d"><title>%s</title></rect>',
				(int) $x,
				(int) ( self::HEIGHT - $height ),
				(int) ( self::STEP - 2 ),
				(int) $height,
				esc_html( wp_date( get_option( 'date_format' ), (int) strtotime( $day . ' 12:00 UTC' ), timezone_open( 'UTC' ) ) . ': ' . number_format_i18n( $visitors ) )
			);
			$x += self::STEP;
		}
		printf( '</svg>' );
	}

	/** @param array<string,int> $rows */
	private static function print_list( string $id, string $name, array $rows ): void {
		if ( array() === $rows ) {
			return;
		}
		printf( '<h3>%s</h3><table id="footfall-%s" class="widefat striped"><tbody>', esc_html( $name ), esc_attr( $id ) );
		foreach ( $rows as $row => $number ) {
			$text = 'pages' === $id ? sprintf( '<a href="%s">%s</a>', esc_url( Frame::report_of( $row ) ), esc_html( $row ) ) : esc_html( $row );
			printf( '<tr><td>%s</td><td style="text-align:right">%s</td></tr>', wp_kses_post( $text ), esc_html( number_format_i18n( $number ) ) );
		}
		printf( '</tbody></table>' );
	}

	/** On pages of the site only what is kept: no request to the service while a page is made. */
	public static function add_to_toolbar( WP_Admin_Bar $bar ): void {
		if ( ! Sidecar::is_connected() || ! Frame::may_read() ) {
			return;
		}
		$figures = Figures::overview( is_admin() );
		$bar->add_node(
			array(
				'id'    => 'footfall',
				'title' => '<span class="ab-icon dashicons-chart-bar" aria-hidden="true"></span><span class="ab-label">' . esc_html( null === $figures ? 'Footfall' : self::visitors( $figures ) ) . '</span>',
				'href'  => Frame::address(),
			)
		);
		$page = self::page();
		if ( '' !== $page ) {
			$bar->add_node(
				array(
					'parent' => 'footfall',
					'id'     => 'footfall-page',
					'title'  => esc_html__( 'Views of this page', 'footfall' ),
					'href'   => Frame::report_of( $page ),
				)
			);
		}
	}

	/** The address of the page that is shown, or of the post that is edited; '' if there is none. */
	private static function page(): string {
		global $wp;
		if ( ! is_admin() ) {
			return is_404() || is_preview() ? '' : ( is_singular() ? (string) get_permalink() : home_url( $wp->request ) );
		}
		$screen = get_current_screen();
		$post   = null !== $screen && 'post' === $screen->base ? get_post() : null;
		return null !== $post && 'publish' === $post->post_status ? (string) get_permalink( $post ) : '';
	}
}
