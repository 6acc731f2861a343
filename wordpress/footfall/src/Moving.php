<?php
/**
 * The part of the page "Connection" that sends the history of another statistics plugin to the service.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

/** The dashboard shows what it would bring, imports it, and takes it back. */
final class Moving {
	const ACTION = 'footfall_history';
	/** Why the last one was not sent, for the page that comes next. */
	const PROBLEM = 'footfall_history_problem';

	public static function register(): void {
		add_action( 'admin_post_' . self::ACTION, array( self::class, 'send' ) );
	}

	/** Prints nothing where no other plugin has left anything. */
	public static function print_section(): void {
		$found = Sidecar::is_connected() ? History::found() : array();
		if ( array() === $found ) {
			return;
		}
		$problem = get_transient( self::PROBLEM );
		delete_transient( self::PROBLEM );
		?>
		<h2><?php esc_html_e( 'The history of another plugin', 'footfall' ); ?></h2>
		<?php if ( is_string( $problem ) ) : ?>
			<div class="notice notice-error inline"><p><?php echo esc_html( $problem ); ?></p></div>
		<?php endif; ?>
		<p><?php esc_html_e( 'It is sent to the service without what recognises visitors. The dashboard then shows what it would bring, and imports nothing until you say so.', 'footfall' ); ?></p>
		<?php foreach ( $found as $plugin => $rows ) : ?>
			<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>">
				<input type="hidden" name="action" value="<?php echo esc_attr( self::ACTION ); ?>">
				<input type="hidden" name="plugin" value="<?php echo esc_attr( $plugin ); ?>">
				<?php wp_nonce_field( self::ACTION ); ?>
				<p>
					<?php
					$fits  = $rows <= History::ROWS_OF_PAGE;
					$shown = number_format_i18n( min( $rows, History::ROWS_OF_PAGE ) ) . ( $fits ? '' : '+' );
					/* translators: 1: the name of a plugin, 2: a number */
					echo esc_html( sprintf( __( '%1$s: %2$s rows', 'footfall' ), History::PLUGINS[ $plugin ], $shown ) . ' ' );
					if ( $fits ) {
						submit_button( __( 'Send to Footfall', 'footfall' ), 'secondary', 'send-' . $plugin, false );
					} else {
						/* translators: %s: a command */
						echo esc_html( '· ' . sprintf( __( 'That takes longer than a page may. Run "%s" on the server.', 'footfall' ), "wp footfall history $plugin --send" ) );
					}
					?>
				</p>
			</form>
			<?php
		endforeach;
	}

	public static function send(): void {
		check_admin_referer( self::ACTION );
		$plugin = isset( $_POST['plugin'] ) ? sanitize_key( $_POST['plugin'] ) : '';
		if ( ! current_user_can( 'manage_options' ) || ! isset( History::TABLES[ $plugin ] ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to access this page.' ), 403 ); // phpcs:ignore WordPress.WP.I18n.MissingArgDomain -- A sentence of WordPress.
		}
		$problem = History::send( $plugin, wp_get_current_user() )['problem'];
		if ( null !== $problem ) {
			set_transient( self::PROBLEM, $problem, MINUTE_IN_SECONDS );
		}
		wp_safe_redirect( null === $problem ? Frame::import_address() : Settings::address() );
		exit;
	}
}
