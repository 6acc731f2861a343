<?php
/**
 * Figures for WordPress' own places: one batch of requests for all of them, kept for five minutes.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

/** Asked for by cron, in wp-admin and in the editor; pages for visitors only read what is kept. */
final class Figures {
	const PREFIX   = 'footfall_figures_';
	const LIFETIME = 5 * MINUTE_IN_SECONDS;
	/** Before a service that did not answer is asked again. */
	const PAUSE   = MINUTE_IN_SECONDS;
	const TIMEOUT = 3.0;
	/** The ranges that a list of posts offers. */
	const PERIODS = array( '7d', '28d', '90d', '12mo' );
	/** As many pages as a report has rows, this many times. */
	const ROWS  = 200;
	const PARTS = 10;

	public static function register(): void {
		// After Health, which says whether there is any use in asking.
		add_action( Health::HOOK, array( self::class, 'refresh' ), 20 );
	}

	public static function refresh(): void {
		if ( '' === Health::state()['problem'] ) {
			self::ask_overview();
		}
	}

	/** Today, the last 28 days, their pages and sources; null where there is nothing to show. @return array<string,mixed>|null */
	public static function overview( bool $may_ask ): ?array {
		$kept = self::kept( 'overview' );
		return null === $kept && $may_ask ? self::ask_overview() : ( $kept['figures'] ?? null );
	}

	/**
	 * Views of pages by their paths, most first; pages that are not listed have at most `others`.
	 *
	 * @return array{views:array<string,int>,others:int}|null
	 */
	public static function pages( string $period ): ?array {
		$kept = self::kept( $period );
		return null === $kept ? self::ask_pages( $period ) : $kept['figures'];
	}

	/** The same for everyone: up to a day old, so that a late cron leaves no hole, but nothing while the service is away. */
	public static function shown( string $period ): ?array {
		return '' === Health::state()['problem'] ? self::stored( $period )['figures'] ?? null : null;
	}

	/** What the ranges are called. @return array<string,string> */
	public static function names(): array {
		return array(
			'7d'   => __( 'Views in 7 days', 'footfall' ),
			'28d'  => __( 'Views in 28 days', 'footfall' ),
			'90d'  => __( 'Views in 90 days', 'footfall' ),
			'12mo' => __( 'Views in 12 months', 'footfall' ),
			'all'  => __( 'Views so far', 'footfall' ),
		);
	}

	/** Views of a page as a text. @param array{views:array<string,int>,others:int} $pages */
	public static function views_of( string $address, array $pages ): string {
		$views = $pages['views'][ self::page_of( $address ) ] ?? null;
		// The list ends before this page.
		return ( null === $views && 0 < $pages['others'] ? '≤ ' : '' ) . number_format_i18n( $views ?? $pages['others'] );
	}

	/** Asks for what `pages` answers, and the posts among it. @return array<string,mixed>|null */
	public static function ask_pages( string $period ): ?array {
		$paths = array();
		for ( $part = 0; $part < self::PARTS; $part++ ) {
			$paths[] = '/pages?by=path&period=' . $period . '&limit=' . self::ROWS . '&offset=' . $part * self::ROWS;
		}
		$answers = self::ask( $paths );
		if ( null === $answers ) {
			return self::keep( $period, null );
		}
		$views = array();
		foreach ( $answers as $rows ) {
			$views += array_column( $rows, 'views', 'page' );
		}
		return self::keep(
			$period,
			array(
				'views'  => $views,
				'others' => count( $views ) < self::ROWS * self::PARTS ? 0 : (int) min( $views ),
				'posts'  => Shown::posts_of( $views ),
			)
		);
	}

	/** The name under which the service counts a page of this site. */
	public static function page_of( string $address ): string {
		// Decoded, but for characters that would then mean something else.
		$path  = preg_replace( '/%(2f|3f|23|25|5c)/i', '%25$1', (string) wp_parse_url( $address, PHP_URL_PATH ) );
		$path  = rtrim( (string) preg_replace( '#/{2,}#', '/', rawurldecode( $path ) ), '/' );
		$query = (string) wp_parse_url( $address, PHP_URL_QUERY );
		return ( '' === $path ? '/' : $path ) . ( '' === $query ? '' : '?' . $query );
	}

	/** @return array<string,mixed>|null */
	private static function ask_overview(): ?array {
		$answers = self::ask( array( '/summary?period=today', '/summary?period=28d&interval=day', '/pages?by=path&period=28d&limit=5', '/sources?group_by=source&period=28d&limit=6' ) );
		if ( null === $answers ) {
			return self::keep( 'overview', null );
		}
		list( $today, $days, $pages, $sources ) = $answers;
		// Visits without a source came from nowhere.
		$sources = array_filter(
			$sources,
			static function ( $row ) {
				return 'Direct' !== $row['channel'];
			}
		);
		return self::keep(
			'overview',
			array(
				'visitors' => (int) $today['totals']['visitors'],
				'views'    => (int) $today['totals']['views'],
				'days'     => array_column( $days['series'], 'visitors', 'date' ),
				'pages'    => array_column( $pages, 'views', 'page' ),
				'sources'  => array_column( array_slice( $sources, 0, 5 ), 'visitors', 'source' ),
			)
		);
	}

	/** What is not too old. @return array{figures:array<string,mixed>|null}|null */
	private static function kept( string $name ): ?array {
		$stored = self::stored( $name );
		return time() < ( $stored['until'] ?? 0 ) ? $stored : null;
	}

	/** Of the service that this site is connected with. @return array{figures:array<string,mixed>|null,until:int}|null */
	private static function stored( string $name ): ?array {
		$stored = Sidecar::is_connected() ? get_transient( self::PREFIX . $name ) : false;
		return is_array( $stored ) && Sidecar::fingerprint() === $stored['service'] ? $stored : null;
	}

	private static function keep( string $name, ?array $figures ): ?array {
		if ( Sidecar::is_connected() ) {
			$kept = array(
				'service' => Sidecar::fingerprint(),
				'until'   => time() + ( null === $figures ? self::PAUSE : self::LIFETIME ),
				'figures' => $figures,
			);
			set_transient( self::PREFIX . $name, $kept, DAY_IN_SECONDS );
		}
		return $figures;
	}

	public static function forget(): void {
		foreach ( array_merge( array( 'overview' ), array_keys( self::names() ) ) as $name ) {
			delete_transient( self::PREFIX . $name );
		}
	}

	/**
	 * The data of several reports, without anything that was sold; null unless all of them are there.
	 *
	 * @param string[] $paths
	 * @return array<int,array<mixed>>|null
	 */
	private static function ask( array $paths ): ?array {
		if ( ! Sidecar::is_connected() ) {
			return null;
		}
		$requests = array();
		foreach ( $paths as $path ) {
			$requests[] = array( 'path' => $path );
		}
		$headers = array(
			'Authorization' => 'Bearer ' . Token::for_figures(),
			'Content-Type'  => 'application/json',
		);
		$answer  = Sidecar::send( 'POST', '/' . Rest::SPACE . '/batch', $headers, (string) wp_json_encode( array( 'requests' => $requests ) ), self::TIMEOUT );
		$body    = null !== $answer && $answer['signed'] && 207 === $answer['status'] ? json_decode( $answer['body'], true ) : array();
		$data    = array();
		foreach ( $body['responses'] ?? array() as $response ) {
			if ( 200 === $response['status'] && is_array( $response['body']['data'] ?? null ) ) {
				$data[] = $response['body']['data'];
			}
		}
		return count( $data ) === count( $paths ) ? $data : null;
	}
}
