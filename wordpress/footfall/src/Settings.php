<?php
/**
 * The page "Connection" below Footfall: where the service is, and which roles may read reports.
 *
 * @package Footfall
 */

namespace Footfall;

defined( 'ABSPATH' ) || exit;

/** All other settings are the service's, in the dashboard. */
final class Settings {
	const PAGE   = 'footfall-connection';
	const ACTION = 'footfall_connect';
	/** 1 once the capability has its new name, 2 once who reads was chosen. */
	const CARRIED = 'footfall_viewers';
	/** Why what was entered could not be saved, as the next page is told. */
	const PROBLEMS = array( 'no_address', 'short_secret', 'unconnected' );

	public static function register(): void {
		add_action( 'admin_init', array( self::class, 'carry_viewers' ) );
		add_action( 'admin_menu', array( self::class, 'add_menu' ), 20 );
		add_action( 'admin_post_' . self::ACTION, array( self::class, 'save' ) );
		add_filter( 'plugin_action_links_' . plugin_basename( FILE ), array( self::class, 'add_link' ) );
	}

	public static function address(): string {
		return admin_url( 'admin.php?page=' . self::PAGE );
	}

	public static function add_menu(): void {
		add_submenu_page(
			Frame::PAGE,
			__( 'Footfall: connection', 'footfall' ),
			__( 'Connection', 'footfall' ),
			'manage_options',
			self::PAGE,
			array( self::class, 'print_page' )
		);
	}

	/** @param array<string,string> $links */
	public static function add_link( $links ) {
		return array( 'footfall' => sprintf( '<a href="%s">%s</a>', esc_url( self::address() ), esc_html__( 'Connection', 'footfall' ) ) ) + $links;
	}

	public static function print_page(): void {
		Health::refresh();
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only shown.
		$problem = isset( $_GET['problem'] ) && in_array( $_GET['problem'], self::PROBLEMS, true ) ? sanitize_key( $_GET['problem'] ) : '';
		$state   = Health::state();
		?>
		<style>.footfall-roles :is( th, td ) { display: table-cell; width: auto; padding: 8px 10px 8px 0; }</style>
		<div class="wrap">
			<h1><?php esc_html_e( 'Footfall: connection', 'footfall' ); ?></h1>
			<?php if ( '' !== $problem ) : ?>
				<div class="notice notice-error"><p><?php echo esc_html( Health::sentence( $problem ) ); ?></p></div>
			<?php endif; ?>
			<?php
			// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only shown.
			if ( '' === $problem && isset( $_GET['saved'] ) ) :
				?>
				<div class="notice notice-success is-dismissible" id="footfall-saved"><p><?php esc_html_e( 'Settings saved.' ); // phpcs:ignore WordPress.WP.I18n.MissingArgDomain -- A sentence of WordPress. ?></p></div>
			<?php endif; ?>
			<?php if ( Sidecar::is_connected() && '' === $state['problem'] ) : ?>
				<p id="footfall-connected"><?php esc_html_e( 'The service answers and accepts the secret of this site.', 'footfall' ); ?>
				<?php echo esc_html( $state['tracking'] ? '' : __( 'Counting is turned off in its settings.', 'footfall' ) ); ?></p>
			<?php else : ?>
				<p><?php echo esc_html( Health::sentence( Sidecar::is_connected() ? $state['problem'] : 'unconnected' ) ); ?></p>
			<?php endif; ?>
			<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>">
				<input type="hidden" name="action" value="<?php echo esc_attr( self::ACTION ); ?>">
				<?php wp_nonce_field( self::ACTION ); ?>
				<table class="form-table" role="presentation">
					<tr>
						<th scope="row"><label for="footfall-address"><?php esc_html_e( 'Address', 'footfall' ); ?></label></th>
						<td><input id="footfall-address" name="address" type="text" class="regular-text code" placeholder="http://127.0.0.1:8787"
							value="<?php echo esc_attr( Sidecar::address() ); ?>" <?php disabled( Sidecar::has_fixed_address() ); ?>></td>
					</tr>
					<tr>
						<th scope="row"><label for="footfall-secret"><?php esc_html_e( 'Secret', 'footfall' ); ?></label></th>
						<td><input id="footfall-secret" name="secret" type="password" class="regular-text code" autocomplete="off"
							placeholder="<?php echo esc_attr( '' === Sidecar::secret() ? '' : __( 'unchanged', 'footfall' ) ); ?>" <?php disabled( defined( 'FOOTFALL_SECRET' ) ); ?>>
							<p class="description"><?php esc_html_e( 'Both are printed by "footfall connect wordpress" on the server.', 'footfall' ); ?></p></td>
					</tr>
					<tr>
						<th scope="row"><?php esc_html_e( 'Who may read reports', 'footfall' ); ?></th>
						<td><fieldset>
							<legend class="screen-reader-text"><?php esc_html_e( 'Who may read reports', 'footfall' ); ?></legend>
							<table class="footfall-roles">
								<thead><tr><td></td>
									<th scope="col"><?php esc_html_e( 'Views of own posts', 'footfall' ); ?></th>
									<th scope="col"><?php esc_html_e( 'Visits', 'footfall' ); ?></th>
									<th scope="col"><?php esc_html_e( 'Visits and revenue', 'footfall' ); ?></th>
								</tr></thead>
								<?php foreach ( wp_roles()->roles as $id => $role ) : ?>
									<?php $always = ! empty( $role['capabilities']['manage_options'] ); ?>
									<?php $name = translate_user_role( $role['name'] ); ?>
									<tr>
										<th scope="row"><?php echo esc_html( $name ); ?></th>
										<td>
											<?php if ( ! empty( $role['capabilities']['edit_posts'] ) ) : ?>
												<input type="checkbox" name="own[]" value="<?php echo esc_attr( $id ); ?>" aria-label="<?php echo esc_attr( $name . ': ' . __( 'Views of own posts', 'footfall' ) ); ?>"
												<?php checked( $always || self::reads( $id, $role, Token::OWN ) ); ?> <?php disabled( $always ); ?>>
											<?php endif; ?>
										</td>
										<td><input type="checkbox" name="visits[]" value="<?php echo esc_attr( $id ); ?>" aria-label="<?php echo esc_attr( $name . ': ' . __( 'Visits', 'footfall' ) ); ?>"
											<?php checked( $always || self::reads( $id, $role, Token::VISITS ) ); ?> <?php disabled( $always ); ?>></td>
										<td><input type="checkbox" name="viewers[]" value="<?php echo esc_attr( $id ); ?>" aria-label="<?php echo esc_attr( $name . ': ' . __( 'Visits and revenue', 'footfall' ) ); ?>"
											<?php checked( $always || self::reads( $id, $role, Token::VIEW ) ); ?> <?php disabled( $always ); ?>></td>
									</tr>
								<?php endforeach; ?>
							</table>
							<p class="description"><?php esc_html_e( 'They see the reports, and change nothing. Without revenue there are no orders, no values of goals and no questions.', 'footfall' ); ?></p>
						</fieldset></td>
					</tr>
					<tr>
						<th scope="row"><?php esc_html_e( 'Views in pages', 'footfall' ); ?></th>
						<td><label><input type="checkbox" name="shown" value="1" <?php checked( Shown::is_allowed() ); ?>>
							<?php esc_html_e( 'Pages may show their views and popular posts to everyone', 'footfall' ); ?></label>
							<p class="description"><?php esc_html_e( 'By the blocks and shortcodes that authors add, or by the theme.', 'footfall' ); ?></p></td>
					</tr>
				</table>
				<?php submit_button(); ?>
			</form>
			<?php Moving::print_section(); ?>
			<p class="description"><?php esc_html_e( 'Deleting the plugin removes its secret here; the service accepts it until "footfall connect revoke" has ended the connection on the server.', 'footfall' ); ?></p>
		</div>
		<?php
	}

	public static function save(): void {
		check_admin_referer( self::ACTION );
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to access this page.' ), 403 ); // phpcs:ignore WordPress.WP.I18n.MissingArgDomain -- A sentence of WordPress.
		}
		$address = isset( $_POST['address'] ) ? sanitize_text_field( wp_unslash( $_POST['address'] ) ) : Sidecar::address();
		$secret  = isset( $_POST['secret'] ) ? sanitize_text_field( wp_unslash( $_POST['secret'] ) ) : '';
		$viewers = isset( $_POST['viewers'] ) ? array_map( 'sanitize_key', (array) wp_unslash( $_POST['viewers'] ) ) : array();
		$visits  = isset( $_POST['visits'] ) ? array_map( 'sanitize_key', (array) wp_unslash( $_POST['visits'] ) ) : array();
		$own     = isset( $_POST['own'] ) ? array_map( 'sanitize_key', (array) wp_unslash( $_POST['own'] ) ) : array();
		$shown   = isset( $_POST['shown'] ) ? sanitize_key( wp_unslash( $_POST['shown'] ) ) : '';
		self::save_readers( Token::OWN, $own );
		self::save_readers( Token::VIEW, $viewers );
		self::save_readers( Token::VISITS, $visits );
		update_option( self::CARRIED, 2, true );
		Shown::allow( '1' === $shown );
		$problem = Sidecar::connect( $address, '' === $secret ? Sidecar::secret() : $secret );
		wp_safe_redirect( add_query_arg( '' === $problem ? array( 'saved' => 1 ) : array( 'problem' => $problem ), self::address() ) );
		exit;
	}

	/**
	 * In 0.1.0 the capability had a name that other plugins may use as well. The roles that had it there keep reading, once;
	 * in a new installation none does.
	 */
	public static function carry_viewers(): void {
		if ( get_option( self::CARRIED ) ) {
			return;
		}
		if ( false !== get_option( Sidecar::OPTION ) ) {
			foreach ( wp_roles()->role_objects as $role ) {
				if ( $role->has_cap( 'view_reports' ) ) {
					$role->add_cap( Token::VIEW );
				}
			}
		}
		update_option( self::CARRIED, 1, true );
	}

	/** Whether a role has the capability; until the page is saved, shop managers are proposed. @param array<string,mixed> $role */
	private static function reads( string $id, array $role, string $capability ): bool {
		$is_proposed = 'shop_manager' === $id && Token::VIEW === $capability && 2 !== (int) get_option( self::CARRIED );
		return $is_proposed || ! empty( $role['capabilities'][ $capability ] );
	}

	/** @param string[] $readers */
	private static function save_readers( string $capability, array $readers ): void {
		foreach ( wp_roles()->role_objects as $id => $role ) {
			if ( in_array( $id, $readers, true ) ) {
				$role->add_cap( $capability );
			} else {
				$role->remove_cap( $capability );
			}
		}
	}
}
