<?php
/**
 * The plugin's own texts in the languages that it brings.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

final class Language {
	public static function register(): void {
		add_action( 'init', array( self::class, 'load_for_page' ) );
		// WordPress would look by itself for a file of just this variant, and complain when that is early.
		add_filter( 'lang_dir_for_domain', array( self::class, 'keep_away' ), 10, 2 );
	}

	/** @param string|false $folder @param string $domain @return string|false */
	public static function keep_away( $folder, $domain ) {
		return 'footfall' === $domain ? false : $folder;
	}

	public static function load_for_page(): void {
		self::load( determine_locale() );
	}

	/** One file serves all variants of a language: de_DE, de_AT, de_CH_informal. */
	public static function load( string $locale ): void {
		$file   = dirname( FILE ) . '/languages/footfall-' . substr( $locale, 0, 2 ) . '.mo';
		// Not "est" or "frp", which only begin like others.
		if ( preg_match( '/^[a-z]{2}(_|$)/', $locale ) && is_readable( $file ) ) {
			load_textdomain( 'footfall', $file, $locale );
		}
	}
}
