<?php
/**
 * Views that the site shows to everyone, if its owner allows it: two blocks, two shortcodes, functions for themes.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_Block;
use WP_Post;
use WP_Query;

defined( 'ABSPATH' ) || exit;

/** Read from what cron keeps: no page asks the service. */
final class Shown {
	/** Is there if pages may show views; it says on which day a page last needed each period. */
	const OPTION = 'footfall_shown';
	const HANDLE = 'footfall-blocks';
	/** Posts that a list has at most. */
	const MOST = 20;
	/** Posts of a type that are kept: some are not shown, such as those in other languages. */
	const KEPT = 60;
	/** What a list of popular posts is unless it says otherwise. */
	const POPULAR = array(
		'period'     => '28d',
		'number'     => 5,
		'type'       => 'post',
		'thumbnails' => false,
		'views'      => true,
	);

	public static function register(): void {
		add_action( 'init', array( self::class, 'add' ) );
		add_action( 'enqueue_block_editor_assets', array( self::class, 'tell_editor' ) );
		add_action( Health::HOOK, array( self::class, 'refresh' ), 20 );
	}

	public static function is_allowed(): bool {
		return is_array( get_option( self::OPTION ) );
	}

	public static function allow( bool $is_allowed ): void {
		if ( ! $is_allowed ) {
			delete_option( self::OPTION );
		} elseif ( ! self::is_allowed() ) {
			add_option( self::OPTION, array() );
			// What is kept lacks popular posts.
			Figures::forget();
		}
	}

	public static function add(): void {
		wp_register_script( self::HANDLE, plugins_url( 'assets/blocks.js', FILE ), array( 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-server-side-render' ), VERSION, true );
		register_block_type(
			dirname( FILE ) . '/blocks/views',
			array(
				'title'           => __( 'Views of this page', 'footfall' ),
				'description'     => __( 'How often this page has been viewed.', 'footfall' ),
				'render_callback' => array( self::class, 'views_block' ),
			)
		);
		register_block_type(
			dirname( FILE ) . '/blocks/popular',
			array(
				'title'           => __( 'Popular posts', 'footfall' ),
				'description'     => __( 'The most viewed posts, pages or products.', 'footfall' ),
				'render_callback' => array( self::class, 'popular_block' ),
			)
		);
		add_shortcode( 'footfall_views', array( self::class, 'views_shortcode' ) );
		add_shortcode( 'footfall_popular', array( self::class, 'popular_shortcode' ) );
	}

	/** What the blocks offer in the editor. */
	public static function tell_editor(): void {
		$about = array(
			'allowed' => self::is_allowed(),
			'most'    => self::MOST,
			'periods' => array(),
			'types'   => array(),
			'texts'   => array(
				'period'     => __( 'Period', 'footfall' ),
				'number'     => __( 'Number of posts', 'footfall' ),
				'type'       => __( 'Type', 'footfall' ),
				'thumbnails' => __( 'Thumbnails', 'footfall' ),
				'views'      => __( 'Views', 'footfall' ),
				'nothing'    => __( 'There are no figures at the moment.', 'footfall' ),
				'forbidden'  => __( 'Nothing is shown until an administrator allows it below Footfall > Connection.', 'footfall' ),
			),
		);
		foreach ( Figures::names() as $period => $name ) {
			$about['periods'][] = array(
				'value' => $period,
				'label' => $name,
			);
		}
		foreach ( Content::types() as $type ) {
			$about['types'][] = array(
				'value' => $type,
				'label' => get_post_type_object( $type )->labels->name,
			);
		}
		wp_add_inline_script( self::HANDLE, 'window.footfallBlocks=' . wp_json_encode( $about ) . ';', 'before' );
	}

	/** Cron: the periods that pages have shown within a week. */
	public static function refresh(): void {
		if ( ! self::is_allowed() || '' !== Health::state()['problem'] ) {
			return;
		}
		foreach ( get_option( self::OPTION ) as $period => $day ) {
			if ( $day > gmdate( 'Y-m-d', time() - WEEK_IN_SECONDS ) ) {
				Figures::ask_pages( $period );
			}
		}
	}

	/** The most viewed posts by their types, with their views, to be kept. @param array<string,int> $views @return array<string,array<int,int>> */
	public static function posts_of( array $views ): array {
		$posts = array();
		foreach ( self::is_allowed() ? Content::most_viewed( $views, Content::types() ) : array() as $id => $number ) {
			$type = get_post_type( $id );
			if ( count( $posts[ $type ] ?? array() ) < self::KEPT ) {
				$posts[ $type ][ $id ] = $number;
			}
		}
		return $posts;
	}

	/** @return array<string,mixed>|null */
	private static function figures( string $period ): ?array {
		if ( ! self::is_allowed() || ! isset( Figures::names()[ $period ] ) ) {
			return null;
		}
		$needed = get_option( self::OPTION );
		$today  = gmdate( 'Y-m-d' );
		if ( ( $needed[ $period ] ?? '' ) !== $today ) {
			update_option( self::OPTION, array( $period => $today ) + $needed );
		}
		return self::is_editor() ? Figures::pages( $period ) : Figures::shown( $period );
	}

	/** Whether an editor sees how a block will look, which is no page for visitors. */
	private static function is_editor(): bool {
		return self::is_rest() && 0 === strpos( $GLOBALS['wp']->query_vars['rest_route'] ?? '', '/wp/v2/block-renderer/footfall/' );
	}

	private static function is_rest(): bool {
		return defined( 'REST_REQUEST' ) && REST_REQUEST;
	}

	/** The address of a published post; '' for all that not everyone may read. */
	public static function address_of( WP_Post $post ): string {
		return 'publish' === $post->post_status && in_array( $post->post_type, Content::types(), true ) ? (string) get_permalink( $post ) : '';
	}

	/** The address of what is shown: a post, alone or in a list, or another page; '' where that cannot be said. */
	private static function address( bool $is_in_list = false ): string {
		global $wp;
		if ( $is_in_list || is_singular() || in_the_loop() || self::is_rest() ) {
			$post = get_post();
			return null === $post ? '' : self::address_of( $post );
		}
		if ( is_404() ) {
			return '';
		}
		return '' === $wp->request && ! is_front_page() ? '' : home_url( '/' . $wp->request );
	}

	/** Views as a text; '' where there is nothing to show. */
	public static function views_of( string $address, string $period ): string {
		$figures = '' === $address ? null : self::figures( $period );
		return null === $figures ? '' : Figures::views_of( $address, $figures );
	}

	private static function views_html( string $views, string $period ): string {
		return sprintf(
			'<span class="footfall-views" title="%s">%s</span>',
			esc_attr( Figures::names()[ $period ] ),
			/* translators: %s: a number */
			sprintf( esc_html__( 'Views: %s', 'footfall' ), '<span class="footfall-number">' . esc_html( $views ) . '</span>' )
		);
	}

	/** @param array<string,mixed> $attributes */
	public static function views_block( $attributes, $content, WP_Block $block ): string {
		$views = self::views_of( self::address( isset( $block->context['queryId'] ) ), $attributes['period'] );
		return '' === $views ? '' : sprintf( '<div %s>%s</div>', get_block_wrapper_attributes(), self::views_html( $views, $attributes['period'] ) );
	}

	/** @param array<string,string>|string $attributes */
	public static function views_shortcode( $attributes ): string {
		$period = shortcode_atts( array( 'period' => 'all' ), $attributes, 'footfall_views' )['period'];
		$views  = self::views_of( self::address(), $period );
		return '' === $views ? '' : self::views_html( $views, $period );
	}

	/** @param array<string,mixed> $choice @return array<int,int> */
	public static function popular( array $choice ): array {
		$choice += self::POPULAR;
		$figures = self::figures( (string) $choice['period'] );
		$views   = $figures['posts'][ $choice['type'] ] ?? array();
		if ( array() === $views || ! in_array( $choice['type'], Content::types(), true ) ) {
			return array();
		}
		$query = new WP_Query(
			array(
				'post_type'           => $choice['type'],
				'post_status'         => 'publish',
				'has_password'        => false,
				'post__in'            => array_keys( $views ),
				'orderby'             => 'post__in',
				'posts_per_page'      => max( 1, min( self::MOST, (int) $choice['number'] ) ),
				'ignore_sticky_posts' => true,
				'no_found_rows'       => true,
			)
		);
		$found = array();
		foreach ( $query->posts as $post ) {
			$found[ $post->ID ] = $views[ $post->ID ];
		}
		return $found;
	}

	/** @param array<string,mixed> $choice */
	private static function popular_html( array $choice, string $attributes ): string {
		$rows = '';
		foreach ( self::popular( $choice ) as $id => $views ) {
			$rows .= sprintf(
				'<li><a href="%s">%s%s</a>%s</li>',
				esc_url( (string) get_permalink( $id ) ),
				$choice['thumbnails'] ? get_the_post_thumbnail( $id, 'thumbnail', array( 'alt' => '' ) ) : '',
				esc_html( wp_strip_all_tags( get_the_title( $id ) ) ),
				$choice['views'] ? ' ' . self::views_html( number_format_i18n( $views ), $choice['period'] ) : ''
			);
		}
		return '' === $rows ? '' : sprintf( '<ol %s>%s</ol>', $attributes, $rows );
	}

	/** @param array<string,mixed> $attributes */
	public static function popular_block( $attributes ): string {
		return self::popular_html( $attributes + self::POPULAR, get_block_wrapper_attributes( array( 'class' => 'footfall-popular' ) ) );
	}

	/** @param array<string,string>|string $attributes */
	public static function popular_shortcode( $attributes ): string {
		$choice = shortcode_atts( self::POPULAR, $attributes, 'footfall_popular' );
		foreach ( array( 'thumbnails', 'views' ) as $name ) {
			$choice[ $name ] = filter_var( $choice[ $name ], FILTER_VALIDATE_BOOLEAN );
		}
		return self::popular_html( $choice, 'class="footfall-popular"' );
	}
}
