<?php
/**
 * A response of the service on its way through WordPress' REST API.
 *
 * @package Footfall
 */

namespace Footfall;

use WP_REST_Response;

defined( 'ABSPATH' ) || exit;

final class Answer extends WP_REST_Response {
	/** @var string The body as the service has written it. */
	public $unchanged = '';

	/** Nothing is kept: or WordPress would say by itself which methods are allowed, in the place of the service. */
	public function set_matched_route( $route ) {}
}
