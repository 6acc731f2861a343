<?php
/**
 * Whether the service hangs, so that nobody waits for it.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

/** For all that asks the service. A file, so that no hit writes to the database. */
final class Breaker {
	/** Time-outs in a row after which the service is left alone for a while. */
	const PATIENCE = 3;
	/** Seconds; one request tries again after them. */
	const PAUSE = 10;

	public static function is_open(): bool {
		$mark = self::folder() . '/time-outs';
		if ( ! self::is_used() || ! self::is_ours( dirname( $mark ) ) ) {
			return false;
		}
		clearstatcache( true, $mark );
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- Usually there is none.
		if ( (int) @filesize( $mark ) < self::PATIENCE ) {
			return false;
		}
		if ( time() - (int) @filemtime( $mark ) < self::PAUSE ) {
			return true;
		}
		// This one tries; meanwhile the others do not.
		@touch( $mark );
		// phpcs:enable
		return false;
	}

	/** The mark has a byte for each time-out in a row. */
	public static function note( bool $has_answered ): void {
		$folder = self::folder();
		$mark   = $folder . '/time-outs';
		if ( ! self::is_used() || ( $has_answered && ! is_file( $mark ) ) ) {
			return;
		}
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- Without the mark, requests wait as long as they may.
		if ( ! is_dir( $folder ) ) {
			@mkdir( $folder, 0700 );
		}
		if ( ! self::is_ours( $folder ) ) {
			return;
		}
		if ( $has_answered ) {
			@unlink( $mark );
		} else {
			@file_put_contents( $mark, '.', FILE_APPEND );
		}
		// phpcs:enable
	}

	/** Removes the mark and its folder. */
	public static function forget(): void {
		$folder = self::folder();
		if ( self::is_ours( $folder ) ) {
			// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- What is left is empty.
			@unlink( $folder . '/time-outs' );
			@rmdir( $folder );
			// phpcs:enable
		}
	}

	/** On the command line nobody's page waits, and whoever has just restarted the service wants to see it. */
	private static function is_used(): bool {
		return 'cli' !== PHP_SAPI;
	}

	/** In the folder for temporary files, which others share: so its name can be known only with the secret. */
	private static function folder(): string {
		$of = implode( "\n", array( 'footfall-breaker', ABSPATH, Sidecar::address(), self::user() ) );
		return rtrim( get_temp_dir(), '/' ) . '/footfall-' . substr( hash_hmac( 'sha256', $of, Sidecar::secret() ), 0, 32 );
	}

	/** Not a folder that somebody else has put there. */
	private static function is_ours( string $folder ): bool {
		return is_dir( $folder ) && ! is_link( $folder ) && ( -1 === self::user() || fileowner( $folder ) === self::user() );
	}

	/** -1 if PHP does not know. */
	private static function user(): int {
		return function_exists( 'posix_geteuid' ) ? posix_geteuid() : -1;
	}
}
